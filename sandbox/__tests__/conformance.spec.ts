/**
 * docs/conformance.md: every row of the interface has a test, and every test named there exists.
 *
 * The specs of the sandbox are loaded here with a `test` that only takes down titles, so that titles
 * made in a loop count too; of other folders' specs the text is searched.
 */

import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const CONSTANT_TIME = "§5 rule 3: the plugin compares signatures in constant time"
const ROOT = path.join(__dirname, "..", "..")

type Row = { section: string; row: string; proofs: string[] }

const inventory = JSON.parse(
  readFileSync(path.join(__dirname, "interface-rows.json"), "utf8"),
) as string[]

/** Reads the tables; a `|` inside a cell is written `\|`. */
function readTable(markdown: string): Row[] {
  const rows: Row[] = []
  let section = ""
  for (const line of markdown.split("\n")) {
    section = /^## §(\S+)/.exec(line)?.[1] ?? section
    if (!line.startsWith("|") || /^\|[-|]+\|$/.test(line) || line.startsWith("| row |")) continue
    const [, row = "", , proof = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    rows.push({ section, row, proofs: proof.split("<br>").filter(Boolean) })
  }
  return rows
}

function titlesOf(spec: string): Set<string> {
  const titles = new Set<string>()
  const take = (title: string) => {
    if (titles.has(title)) throw new Error(`${spec}: "${title}" is there twice`)
    titles.add(title)
  }
  const real = { test: globalThis.test, describe: globalThis.describe }
  const hooks = ["beforeAll", "beforeEach", "afterAll", "afterEach"] as const
  const realHooks = hooks.map((name) => globalThis[name])
  const replace = (name: string, value: unknown) => Reflect.set(globalThis, name, value)
  replace("test", take)
  replace("describe", (_title: string, body: () => void) => body())
  for (const name of hooks) replace(name, () => undefined)
  try {
    jest.isolateModules(() => {
      require(path.join(__dirname, spec))
    })
  } finally {
    replace("test", real.test)
    replace("describe", real.describe)
    hooks.forEach((name, i) => {
      replace(name, realHooks[i])
    })
  }
  return titles
}

const specs = readdirSync(__dirname).filter(
  (name) => name.endsWith(".spec.ts") && name !== "conformance.spec.ts",
)
const titles = new Map<string, Set<string>>()
titles.set("conformance.spec.ts", new Set([CONSTANT_TIME]))
const table = readTable(readFileSync(path.join(ROOT, "docs", "conformance.md"), "utf8"))

beforeAll(() => {
  for (const spec of specs) titles.set(spec, titlesOf(spec))
})

/** Null where the test is there. */
function problem(proof: string): string | null {
  const [, spec, escaped] = /^`([^`]+)`: (.+)$/.exec(proof) ?? []
  if (!spec || !escaped) return `cannot be read: ${proof}`
  const title = escaped.replaceAll("\\|", "|")
  if (!spec.includes("/")) {
    return titles.get(spec)?.has(title) ? null : `${spec} has no test "${title}"`
  }
  const text = readFileSync(path.join(ROOT, spec), "utf8")
  const quoted = [JSON.stringify(title), `'${title}'`, `\`${title}\``]
  return quoted.some((literal) => text.includes(literal)) ? null : `${spec} has no test "${title}"`
}

test("every row of the interface is in the table, once", () => {
  expect(inventory.length).toBeGreaterThan(200)
  expect(table.map(({ section, row }) => `§${section} ${row}`)).toEqual(inventory)
})

test("no row is empty", () => {
  expect(table.filter(({ proofs }) => proofs.length === 0)).toEqual([])
})

test("every test that the table names exists", () => {
  const problems = table.flatMap(({ section, row, proofs }) =>
    proofs
      .map(problem)
      .filter((found) => found !== null)
      .map((found) => `§${section} ${row}: ${found}`),
  )
  expect(problems).toEqual([])
})

test("a row that is missing, empty or names no test is noticed", () => {
  const broken = "## §1 x\n| row | says | proved by |\n|---|---|---|\n| a | b \\| c | |\n"
  expect(readTable(broken)).toEqual([{ section: "1", row: "a", proofs: [] }])
  expect(problem("`catalog.spec.ts`: no such test")).toContain("no such test")
  expect(problem("`integration-tests/http/show.spec.ts`: no such test")).toContain("no such test")
  expect(problem("see elsewhere")).toContain("cannot be read")
})

test("each spec says in its titles which section it proves", () => {
  for (const [spec, found] of titles) {
    const named = [...found].filter((title) => /^§\d/.test(title))
    const isRuleBook = table.some(({ proofs }) => proofs.some((proof) => proof.includes(spec)))
    expect([spec, named.length > 0 || !isRuleBook]).toEqual([spec, true])
  }
})

test(CONSTANT_TIME, () => {
  // No outcome shows how a comparison was made, so the source is looked at.
  const source = readFileSync(path.join(ROOT, "src", "contract", "signature.ts"), "utf8")
  const verify = source.slice(source.indexOf("export function verifyDelivery"))
  expect(verify).toMatch(/timingSafeEqual\(/)
  expect(verify).not.toMatch(/signature\s*[=!]==|[=!]==\s*(input\.)?signature/)
})
