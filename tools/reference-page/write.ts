/** `npm run reference` writes `docs/reference.md` from the sources; with `--check` it only says whether the page is current. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { referencePage } from "./page"
import { readEvents, readReasons, readRefusals, readRoutes, readSentences } from "./read-source"

const ROOT = join(__dirname, "../..")
const PAGE = join(ROOT, "docs/reference.md")

const page = referencePage({
  routes: readRoutes(ROOT),
  refusals: readRefusals(ROOT),
  cartCodes: readSentences(ROOT, "src/modules/svc/cart/codes.ts", "CART_CODES"),
  callFixes: readSentences(ROOT, "src/client/errors.ts", "FIX"),
  reasons: readReasons(ROOT),
  events: readEvents(ROOT),
})

if (!process.argv.includes("--check")) {
  writeFileSync(PAGE, page)
} else if (!existsSync(PAGE) || readFileSync(PAGE, "utf8") !== page) {
  console.error("docs/reference.md is not what the sources say: run npm run reference.")
  process.exitCode = 1
}
