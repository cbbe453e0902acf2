/**
 * `npm run mutate`: breaks the code that decides what gets in and what a show looks like, one place at a time, and sees
 * whether a unit test notices. Takes minutes; runs once a week, not with every change. the report is in .test/mutation.json.
 */
export default {
  packageManager: "npm",
  testRunner: "jest",
  jest: {
    projectType: "custom",
    configFile: "jest.mutate.config.js",
    enableFindRelatedTests: false,
  },
  coverageAnalysis: "perTest",
  mutate: [
    "src/contract/signature.ts",
    "src/contract/delivery.ts",
    "src/contract/fields.ts",
    "src/modules/svc/shows/merge.ts",
    "src/modules/svc/shows/listing.ts",
    "src/modules/svc/webhooks/admission.ts",
    "src/modules/svc/webhooks/body-budget.ts",
    "src/modules/svc/webhooks/classify-delivery.ts",
    "src/modules/svc/webhooks/failure-meter.ts",
    "src/modules/svc/webhooks/refusal-log.ts",
    "src/modules/svc/webhooks/signature-keys.ts",
  ],
  ignorePatterns: [".medusa", ".demo", ".test", ".bench", "docs/images", "sandbox/dist", "demo"],
  tempDirName: ".test/stryker",
  disableTypeChecks: true,
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ["clear-text", "json", "progress"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: ".test/mutation.json" },
  thresholds: { high: 100, low: 95, break: 95 },
}
