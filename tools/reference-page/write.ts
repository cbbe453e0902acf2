/**
 * `npm run reference` writes `docs/reference.md`, `docs/openapi.json`, `docs/options.md` and the gaps of `docs/conformance.md` from the sources;
 * with `--check` it only says whether the pages are current.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fullRun from "../full-run.json"
import { GAPS_HEADING } from "../references/proofs"
import { gapTable } from "./gap-table"
import { openApi } from "./open-api"
import { optionsPage } from "./options-page"
import { referencePage } from "./page"
import { readEvents, readReasons, readRefusals, readRoutes, readSentences } from "./read-source"

const ROOT = join(__dirname, "../..")

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8")

const TESTS = /^integration-tests\/|^(src|sandbox|storefront)\/.*__tests__\//
const tests = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => TESTS.test(file) && existsSync(join(ROOT, file)))
  .map((path) => ({ path, text: read(path) }))
const long = fullRun.map((pattern) => new RegExp(pattern))

const [byHand = ""] = read("docs/conformance.md").split(GAPS_HEADING)

const routes = readRoutes(ROOT)
const pages = {
  "docs/conformance.md":
    byHand + gapTable(read("docs/gaps.md"), tests, (path) => long.some((each) => each.test(path))),
  "docs/openapi.json": openApi(ROOT, routes),
  "docs/options.md": optionsPage(),
  "docs/reference.md": referencePage({
    routes,
    refusals: readRefusals(ROOT),
    cartCodes: readSentences(ROOT, "src/modules/svc/cart/codes.ts", "CART_CODES"),
    reasons: readReasons(ROOT),
    events: readEvents(ROOT),
  }),
}

for (const [name, page] of Object.entries(pages)) {
  const file = join(ROOT, name)
  if (!process.argv.includes("--check")) {
    writeFileSync(file, page)
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== page) {
    console.error(`${name} is not what the sources say: run npm run reference.`)
    process.exitCode = 1
  }
}
