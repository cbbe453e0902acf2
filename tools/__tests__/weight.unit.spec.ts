import { codeLines, readPage, roomOf, tooHeavy } from "../weight"

describe("the weight of the code", () => {
  it("counts lines with code, not comments and blank lines", () => {
    const text = [
      "/** What it is for. */",
      "export const one = 1 // said beside it",
      "",
      "// alone",
      "export const text = `two",
      "lines`",
    ].join("\n")
    expect(codeLines("a.ts", text)).toBe(3)
  })

  it.each([
    ["src/modules/svc/cart/plan.ts", "src/modules/cart"],
    ["src/modules/svc/service.ts", "src/modules/."],
    ["src/workflows/cart/guard-cart.ts", "src/workflows/cart"],
    ["src/workflows/index.ts", "src/workflows/."],
    ["src/admin/routes/svc/page.tsx", "src/admin"],
    ["src/modules/svc/cart/__tests__/plan.unit.spec.ts", "tests of src"],
    ["integration-tests/http/shop.ts", "tests of integration-tests"],
    ["sandbox/index.ts", "sandbox"],
    ["build.ts", "configuration"],
    ["src/modules/svc/migrations/Migration1.ts", null],
  ])("puts %s into %s", (file, room) => expect(roomOf(file)).toBe(room))

  const PAGE = "| `src/cart` | 1000 | |\n| `src/new` | 700 | one more market |\n"

  it("reads figures and reasons", () => {
    expect(readPage(PAGE).get("src/new")).toEqual({ lines: 700, why: "one more market" })
  })

  it("lets a room grow by a tenth, and no further without a word", () => {
    const known = readPage(PAGE)
    expect(tooHeavy(new Map([["src/cart", 1100]]), known)).toEqual([])
    expect(tooHeavy(new Map([["src/cart", 1101]]), known)).toEqual([
      expect.stringContaining("src/cart holds 1101"),
    ])
    expect(tooHeavy(new Map([["src/unknown", 61]]), known)).toHaveLength(1)
  })
})
