import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { EXCLUDED, FAILED, WAITING } from "../reasons"

const PAGE = readFileSync(resolve(__dirname, "../../../../../docs/orders.md"), "utf8")
const ALL = Object.entries({ ...WAITING, ...EXCLUDED, ...FAILED })

describe("the reasons beside an order", () => {
  it.each(ALL)("%s has its name as its code, and stands on the page of orders", (name, reason) => {
    const make = reason as (...params: never[]) => { code: string; fix: string }
    const { code, fix } = make()
    expect(code).toBe(name)
    expect(PAGE).toContain(`\`${code}\``)
    expect(fix).toMatch(/\.$/)
  })
})
