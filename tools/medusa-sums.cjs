/**
 * In the place of `@medusajs/framework/utils` where Stryker runs a test anew for each fault: Medusa's sums and currencies
 * as they are, and all the rest of it, which takes seconds to load, only where something asks for it.
 */
const { dirname, join } = require("node:path")

const folder = dirname(require.resolve("@medusajs/utils"))
const sums = Object.assign(
  {},
  require(join(folder, "totals/index.js")),
  require(join(folder, "defaults/index.js")),
)

module.exports = new Proxy(sums, {
  get: (target, name) =>
    name in target || typeof name === "symbol" ? target[name] : require("@medusajs/utils")[name],
})
