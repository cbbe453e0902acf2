/** Four projects, because they differ in what they need: `npx jest` runs them all, or what its arguments name. */
const { statSync } = require("node:fs")
const { availableParallelism, totalmem } = require("node:os")
const { resolve } = require("node:path")

/** What a developer has set for a store of their own must not reach the tests. */
const NOT_INHERITED =
  /^(SVC_|SANDBOX_|PORT$|REDIS_URL$|JWT_SECRET$|COOKIE_SECRET$|(STORE|ADMIN|AUTH)_CORS$|MEDUSA_WORKER_MODE$)/
for (const name of Object.keys(process.env)) if (NOT_INHERITED.test(name)) delete process.env[name]
process.env.NODE_ENV = "test"
// Medusa imports ES modules, which jest allows only with this. For its workers: see workerIdleMemoryLimit.
process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS,
  "--experimental-vm-modules",
  "--no-warnings",
].join(" ")

/** A file that somebody names is wanted, also where it takes too long for each run. */
const namesFile = process.argv
  .slice(2)
  .some((arg) => statSync(resolve(__dirname, arg), { throwIfNoEntry: false })?.isFile())
if (namesFile) process.env.TESTS = "full"

/** What a file of tests may take that has a store, a sandbox, a storefront and a browser. */
const BYTES_PER_FILE = 2_700_000_000
/** Two at least, and three where there is room, because one that waits for its servers leaves the processors to others. */
const FILES_AT_ONCE = Math.max(
  2,
  Math.min(Math.max(3, availableParallelism()), Math.floor(totalmem() / BYTES_PER_FILE)),
)

const shared = {
  rootDir: __dirname,
  testEnvironment: "<rootDir>/integration-tests/setup/environment.js",
  transform: {
    "^.+\\.[jt]sx?$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2022",
          parser: { syntax: "typescript", tsx: true, decorators: true },
          transform: { legacyDecorator: true, react: { runtime: "automatic" } },
        },
      },
    ],
  },
  // The temporary folder does not outlive a run.
  cacheDirectory: "<rootDir>/.test/jest",
  setupFilesAfterEnv: ["<rootDir>/integration-tests/setup/patience.js"],
  modulePathIgnorePatterns: ["<rootDir>/\\.(medusa|demo|test|bench)/", "<rootDir>/sandbox/dist/"],
  testPathIgnorePatterns: ["/node_modules/"],
}

/**
 * Not for each commit: a store that is killed at every point, or gets a backup back; other versions of Medusa, of
 * Postgres; an hour of sales; everything fails while people shop. `npm run test:full` has them, and `npm test` where one
 * is named.
 */
const TOO_LONG = process.env.TESTS === "full" ? [] : require("./tools/full-run.json")

/** With a Postgres, and whatever a test starts. */
const withPrograms = {
  ...shared,
  globalSetup: "<rootDir>/integration-tests/setup/global-setup.ts",
  globalTeardown: "<rootDir>/integration-tests/setup/global-teardown.ts",
}

module.exports = {
  testSequencer: "<rootDir>/integration-tests/setup/sequencer.js",
  reporters: ["default", "<rootDir>/integration-tests/setup/reporter.js"],
  maxWorkers: FILES_AT_ONCE,
  // Stores and browsers leave handles open.
  forceExit: true,
  // Where it is set, also a single file runs in a worker, which has the options of Node above.
  workerIdleMemoryLimit: BYTES_PER_FILE,
  // Generated tests take their values from it: see integration-tests/setup/generated.ts.
  showSeed: true,
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: [
        "<rootDir>/{src,storefront,demo,tools,benchmarks}/**/__tests__/**/*.unit.spec.ts",
        "<rootDir>/sandbox/**/__tests__/**/*.spec.ts",
      ],
    },
    {
      ...withPrograms,
      displayName: "http",
      setupFiles: ["<rootDir>/integration-tests/setup/http.js"],
      testMatch: [
        "<rootDir>/integration-tests/http/**/*.spec.ts",
        "<rootDir>/src/**/__tests__/**/*.spec.ts",
      ],
      testPathIgnorePatterns: ["/node_modules/", "\\.unit\\.spec\\.ts$", ...TOO_LONG],
    },
    {
      ...withPrograms,
      displayName: "browser",
      testMatch: ["<rootDir>/integration-tests/browser/**/*.spec.ts"],
    },
    {
      ...withPrograms,
      displayName: "package",
      testMatch: ["<rootDir>/integration-tests/package/**/*.spec.ts"],
      testPathIgnorePatterns: ["/node_modules/", ...TOO_LONG],
    },
  ],
}
