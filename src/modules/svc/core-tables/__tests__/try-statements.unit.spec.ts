import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = join(__dirname, "..")
const TRIED = readFileSync(join(FOLDER, "try-statements.ts"), "utf8")

/** They read our own tables alone, or are the same statement as another one, narrowed or page by page. */
const NEED_NOT = new Set([
  "ExpiringCarts.openOffers",
  "ExpiringCarts.knownOf",
  "ExpiringCarts.close",
  "AttributionList.list",
  "AttributionList.pages",
  "AttributionList.campaigns",
  "CartRecords.noteChanges",
  "CatalogMarks.markMoved",
])

describe("the statements that are run once when the store starts", () => {
  it("are all on Medusa's own tables: whoever adds one adds it there", () => {
    const missing = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".ts") && name !== "try-statements.ts")
      .flatMap((name) => {
        const source = readFileSync(join(FOLDER, name), "utf8")
        const [, owner] = /^export class (\w+)/m.exec(source) ?? []
        const methods = [...source.matchAll(/^ {2}async \*?(\w+)\(/gm)].map(([, method]) => method)
        return owner ? methods.map((method) => `${owner}.${method}`) : []
      })
      .filter((name) => !NEED_NOT.has(name))
      .filter((name) => {
        const [owner, method] = name.split(".")
        return !TRIED.includes(`new ${owner}(knex).${method}(`)
      })
    expect(missing).toEqual([])
  })
})
