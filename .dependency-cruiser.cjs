/**
 * The arrows of docs/architecture.md, as `npm run check` enforces them. Whoever needs an import that a rule forbids
 * should first look whether the code belongs in another room; a rule is changed together with that page.
 */

/** Files of one folder below the group that the rule's `from.path` has found. */
const OWN = "$1"

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "contract-uses-nothing",
      comment:
        "The service's interface knows nothing of the client, of the module or of Medusa's parts above it.",
      severity: "error",
      from: { path: "^src/contract/" },
      to: { path: "^src/", pathNot: "^src/contract/" },
    },
    {
      name: "texts-use-nothing",
      comment:
        "The catalogue of codes is read by the module, which says its English, and by the admin's pages, which say the rest.",
      severity: "error",
      from: { path: "^src/texts/" },
      to: { path: "^src/", pathNot: "^src/texts/" },
    },
    {
      name: "client-uses-contract",
      comment: "The HTTP client speaks the contract and knows no rows.",
      severity: "error",
      from: { path: "^src/client/" },
      to: { path: "^src/", pathNot: "^src/(client|contract)/" },
    },
    {
      name: "testing-uses-contract",
      comment: "What merchants sign their tests' deliveries with must run without Medusa.",
      severity: "error",
      from: { path: "^src/testing/", pathNot: "__tests__" },
      to: { path: "^src/", pathNot: "^src/(testing|contract)/" },
    },
    {
      name: "modules-use-client",
      comment: "The module does not know what is done with it.",
      severity: "error",
      from: { path: "^src/modules/" },
      to: { path: "^src/", pathNot: "^src/(modules|client|contract|texts)/" },
    },
    {
      name: "rooms-do-not-know-the-service",
      comment:
        "The service makes the row classes of the rooms; a room that imports it would close a circle.",
      severity: "error",
      from: { path: "^src/modules/svc/[^/]+/" },
      to: { path: "^src/modules/svc/(service|index|options)\\.ts$" },
    },
    {
      name: "rooms-do-not-read-the-store",
      comment:
        "Statements on Medusa's tables know the domains whose types they fill; a domain that imports them would close a circle of rooms. It says what it needs, and the service gives it.",
      severity: "error",
      from: { path: "^src/modules/svc/(cart|orders|shows|webhooks|connections|shared|models)/" },
      to: { path: "^src/modules/svc/core-tables/" },
    },
    {
      name: "the-store-does-not-know-the-catalog",
      comment:
        "The catalog asks for the store's products, prices and markets as they are, and imports these statements; they would close a circle of rooms if they knew what the catalog makes of it.",
      severity: "error",
      from: { path: "^src/modules/svc/core-tables/" },
      to: { path: "^src/modules/svc/catalog/" },
    },
    {
      name: "workflows-use-modules",
      comment: "Workflows do not know who starts them.",
      severity: "error",
      from: { path: "^src/workflows/" },
      to: { path: "^src/", pathNot: "^src/(workflows|modules|client|contract|texts)/" },
    },
    {
      name: "workflows-of-one-domain",
      comment:
        "A domain uses another one through its index.ts, so that its inside can be rewritten.",
      severity: "error",
      from: { path: "^src/workflows/([^/]+)/" },
      to: {
        path: "^src/workflows/",
        pathNot: [`^src/workflows/${OWN}/`, "^src/workflows/[^/]+/index\\.ts$"],
      },
    },
    {
      name: "workflows-use-their-room",
      comment:
        "A domain's workflows use the face of their own room (its index.ts: what is decided and stored there) and shared/, and nothing below, so that a room can be rewritten inside. Other domains come from the service, their types from modules/svc/index.ts.",
      severity: "error",
      from: { path: "^src/workflows/([^/]+)/" },
      to: {
        path: "^src/modules/svc/",
        pathNot: ["^src/modules/svc/(index\\.ts$|shared/)", `^src/modules/svc/${OWN}/index\\.ts$`],
      },
    },
    {
      name: "entries-use-workflows",
      comment:
        "Routes, jobs and subscribers translate, then call a workflow or the service: nothing below.",
      severity: "error",
      from: { path: "^src/(api|jobs|subscribers)/" },
      to: {
        path: "^src/",
        pathNot: [
          `^src/${OWN}/`,
          "^src/workflows/index\\.ts$",
          "^src/workflows/[^/]+/index\\.ts$",
          "^src/modules/svc/index\\.ts$",
        ],
      },
    },
    {
      name: "links-use-the-module",
      severity: "error",
      from: { path: "^src/links/" },
      to: { path: "^src/", pathNot: "^src/(links/|modules/svc/index\\.ts$)" },
    },
    {
      name: "admin-and-command-speak-http",
      comment:
        "The admin's pages and the plugin's command know of the backend only what its routes answer.",
      severity: "error",
      from: { path: "^src/(admin|cli)/" },
      to: { path: "^src/", pathNot: [`^src/${OWN}/`, "^src/api/admin/.*view\\.ts$"] },
    },
    {
      name: "admin-and-command-import-types-only",
      comment:
        "A value of the backend would bring the server's code into the browser, and to where no store runs.",
      severity: "error",
      from: { path: "^src/(admin|cli)/" },
      to: {
        path: "^src/",
        pathNot: `^src/${OWN}/`,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "storefront-stands-alone",
      comment: "The browser SDK speaks to the store over HTTP.",
      severity: "error",
      from: { path: "^storefront/" },
      to: { path: "^(src|sandbox|demo|tools|benchmarks|integration-tests)/" },
    },
    {
      name: "plugin-and-sandbox-share-no-code",
      comment: "An error in code of both would hide: the sandbox judges the plugin.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(sandbox|demo|tools|storefront|benchmarks|integration-tests)/" },
    },
    {
      name: "sandbox-and-plugin-share-no-code",
      comment:
        "What writes files of the repository from the plugin's code has to read it: the migration and the pages of the reference.",
      severity: "error",
      from: {
        path: "^(sandbox|demo|tools|storefront)/",
        pathNot: "^tools/(migration\\.ts$|reference-page/)",
      },
      to: { path: "^src/" },
    },
    {
      name: "nothing-needs-the-command",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "tools-know-no-user",
      comment:
        "Demo, tests and benchmarks share tools/; a tool that knew one of them would tie the others to it.",
      severity: "error",
      from: { path: "^tools/" },
      to: { path: "^(demo|sandbox|storefront|benchmarks|integration-tests)/" },
    },
    {
      name: "demo-is-the-last",
      comment: "What is sold or published must run without the demo.",
      severity: "error",
      from: { path: "^(src|sandbox|storefront|tools)/" },
      to: { path: "^demo/" },
    },
    {
      name: "demo-uses-packages",
      comment: "The demo shows what a merchant can do with the packages, not with their insides.",
      severity: "error",
      from: { path: "^demo/" },
      to: {
        path: "^(sandbox|storefront)/",
        // Built, a package is its `dist/`.
        pathNot: "^(sandbox|storefront)/(dist/|(index|package)\\.)",
      },
    },
    {
      name: "page-runs-in-a-browser",
      comment:
        "The demo shop's page speaks to the store over HTTP; Node's code has no place in it.",
      severity: "error",
      from: { path: "^demo/storefront/page/" },
      to: {
        path: "^(demo|tools)/",
        pathNot: "^demo/storefront/page/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-circular",
      comment:
        "Two files that import each other are one idea in two places, or two ideas in the wrong ones.",
      severity: "error",
      from: { path: "^(src|sandbox|demo|tools|storefront)/" },
      to: { circular: true },
    },
  ],
  options: {
    includeOnly: "^(src|sandbox|demo|tools|storefront)/",
    exclude: "__tests__|(^|/)\\.medusa/",
    doNotFollow: "node_modules",
    // Imports of types count: they tie two files as well as values do.
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.check.json" },
  },
}
