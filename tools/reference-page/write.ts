/**
 * `npm run reference` writes `docs/reference.md` and `docs/options.md` from the sources; with `--check` it only says whether
 * the pages are current.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { optionsPage } from "./options-page"
import { referencePage } from "./page"
import { readEvents, readReasons, readRefusals, readRoutes, readSentences } from "./read-source"

const ROOT = join(__dirname, "../..")

const pages = {
  "docs/options.md": optionsPage(),
  "docs/reference.md": referencePage({
    routes: readRoutes(ROOT),
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
