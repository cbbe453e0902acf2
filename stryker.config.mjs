/**
 * `npm run mutate`: Stryker breaks the code that decides on money, one place at a time, and sees whether a unit test
 * notices. `npm run mutate -- --mutate src/contract/signature.ts` tries another file, or several with commas between
 * them. What was tried before is kept in `.test/stryker/` and tried again only where the code or its tests have changed.
 */
import jestConfig from "./jest.config.js"

// Stryker runs a copy of the checkout.
const { rootDir: _, displayName: __, ...unit } = jestConfig.projects[0]
// Those beside what is broken: all others would be loaded for each fault.
const ROOMS = "{contract,modules/svc/{cart,orders,shows,webhooks}}"

const CART = "src/modules/svc/cart"
const ORDERS = "src/modules/svc/orders"
const SHOWS = "src/modules/svc/shows"

// Generated tests run this often for each fault.
Object.assign(process.env, {
  CART_PLAN_RUNS: "150",
  ORDERS_HISTORIES: "150",
  SHOW_HISTORIES: "60",
  RECEIVER_FUZZED: "150",
})

export default {
  testRunner: "jest",
  jest: {
    projectType: "custom",
    config: {
      ...unit,
      roots: ["<rootDir>/src/contract", "<rootDir>/src/modules"],
      // Stryker adds all this to what it finds in jest.config.js, and would start the servers of the other projects.
      projects: [],
      testMatch: [`<rootDir>/src/${ROOMS}/__tests__/*.unit.spec.ts`],
      // Stryker puts one of its own in front of it, and finds no other by its path.
      testEnvironment: "node",
      moduleNameMapper: { "^@medusajs/framework/utils$": "<rootDir>/tools/medusa-sums.cjs" },
    },
    enableFindRelatedTests: true,
  },
  coverageAnalysis: "perTest",
  mutate: [
    `${CART}/{plan,price-policy}.ts`,
    `${ORDERS}/{entries,spread-refund,round-parts,judge-report}.ts`,
    `${SHOWS}/merge.ts`,
  ],
  // Values that run once as a module is loaded take a run of their own each, and say little.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: ".test/stryker/results.json",
  tempDirName: ".test/stryker/sandbox",
  ignorePatterns: ["/.test", "/.medusa", "/.demo", "/.bench", "/sandbox/dist"],
  reporters: ["clear-text", "progress"],
  clearTextReporter: {
    allowColor: false,
    reportTests: false,
    logTests: false,
    reportScoreTable: true,
  },
  thresholds: { high: 95, low: 95, break: 95 },
}
