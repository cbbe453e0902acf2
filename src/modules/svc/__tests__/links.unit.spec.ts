import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const FOLDER = join(__dirname, "../../../links")
/** From a record of Medusa's, by one of its fields, to one of ours. */
const FROM_MEDUSA = /linkable: (\w+Module\.linkable\.\w+), field: "(\w+)"/g

describe("the links from Medusa's records to ours", () => {
  it("begin at a field of their own each: of two, Medusa reads one table and gives its rows to both", () => {
    const links = readdirSync(FOLDER, { withFileTypes: true })
      .filter((file) => file.isFile())
      .flatMap(({ name }) => [...readFileSync(join(FOLDER, name), "utf8").matchAll(FROM_MEDUSA)])
      .map(([, record, field]) => `${record}.${field}`)
    expect(links.length).toBeGreaterThan(3)
    expect(new Set(links).size).toBe(links.length)
  })
})
