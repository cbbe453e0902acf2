/** Four projects, because they differ in what they need; `integration-tests/run.ts` runs them. */
const shared = {
  rootDir: __dirname,
  testEnvironment: "node",
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
  setupFilesAfterEnv: ["<rootDir>/integration-tests/setup/patience.js"],
  modulePathIgnorePatterns: ["<rootDir>/\\.(medusa|demo|test|bench)/", "<rootDir>/sandbox/dist/"],
  testPathIgnorePatterns: ["/node_modules/"],
}

/** For each commit; `npm run test:full` has them, and `npm test` where one is named. */
const TOO_LONG =
  process.env.TESTS === "full"
    ? []
    : [
        // A store that is killed at every point.
        "-killed\\.spec\\.ts$",
        // Other versions of Medusa, of Postgres; an hour of sales; everything fails while people shop.
        "package/(compatibility|older-postgres|soak|chaos)\\.spec\\.ts$",
      ]

/** Boots Medusa: entity metadata of one file must not reach the next. */
const withMedusa = {
  ...shared,
  setupFiles: ["<rootDir>/integration-tests/setup/clear-metadata.js"],
}

module.exports = {
  testSequencer: "<rootDir>/integration-tests/setup/longest-first.js",
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
      ...withMedusa,
      displayName: "http",
      testMatch: [
        "<rootDir>/integration-tests/http/**/*.spec.ts",
        "<rootDir>/src/**/__tests__/**/*.spec.ts",
      ],
      testPathIgnorePatterns: ["/node_modules/", "\\.unit\\.spec\\.ts$", ...TOO_LONG],
    },
    {
      ...shared,
      displayName: "browser",
      testEnvironment: "<rootDir>/integration-tests/setup/browser-environment.js",
      testMatch: ["<rootDir>/integration-tests/browser/**/*.spec.ts"],
    },
    {
      ...shared,
      displayName: "package",
      testMatch: ["<rootDir>/integration-tests/package/**/*.spec.ts"],
      testPathIgnorePatterns: ["/node_modules/", ...TOO_LONG],
    },
  ],
}
