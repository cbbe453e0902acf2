#!/usr/bin/env node
/** The command `medusa-plugin-svc`: from the sources in a clone, which need not be built for it, and else as built. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const isClone = existsSync(new URL("../src/cli/bin.ts", import.meta.url))

if (!isClone) {
  require("../.medusa/server/src/cli/bin.js")
} else {
  require("tsx/cjs/api").register()
  if (process.argv[2] === "sandbox") {
    // The sandbox's package is not built here, so its sources run. What remains are its own options.
    process.argv.splice(2, 1)
    require("../sandbox/cli/bin.ts")
  } else {
    require("../src/cli/bin.ts")
  }
}
