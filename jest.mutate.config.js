/** The unit tests of the code that `stryker.config.mjs` breaks, with short generated runs: each is made for many changes. */
const [unit] = require("./jest.config.js").projects

process.env.SVC_HISTORIES ??= "150"
process.env.SVC_FUZZED ??= "150"

module.exports = {
  ...unit,
  displayName: undefined,
  testMatch: [
    "<rootDir>/src/contract/__tests__/{delivery,signature,fields}.unit.spec.ts",
    "<rootDir>/src/modules/svc/{shows,webhooks}/__tests__/*.unit.spec.ts",
  ],
}
