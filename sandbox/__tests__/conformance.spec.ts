/**
 * docs/conformance.md: every row of docs/interface.md has a test, and those of the sandbox exist.
 *
 * The specs of the sandbox are loaded here with a `test` that only takes down titles, so that titles
 * made in a loop count too. Whether each test ran and passed is looked at by `npm test` as a whole.
 */

import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { readInterface } from "../../tools/references/documents"
import { readProofs } from "../../tools/references/proofs"

const CONSTANT_TIME = "§5 rule 3: the plugin compares signatures in constant time"
const ROOT = path.join(__dirname, "..", "..")
const page = (name: string) => readFileSync(path.join(ROOT, "docs", name), "utf8")

const inventory = readInterface(page("interface.md")).rows
const table = readProofs(page("conformance.md"))

/** `test.each` as far as titles go: `%s` is the row's next value. */
function eachTitle(take: (title: string) => void) {
  return (rows: readonly unknown[]) => (title: string) => {
    for (const row of rows) {
      const values = Array.isArray(row) ? [...row] : [row]
      take(title.replace(/%[sd]/g, () => String(values.shift())))
    }
  }
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
  replace("test", Object.assign(take, { each: eachTitle(take) }))
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

beforeAll(() => {
  for (const spec of specs) titles.set(spec, titlesOf(spec))
})

test("every row of the interface is in the table, once, in its order", () => {
  expect(inventory.length).toBeGreaterThan(200)
  expect(table.map(({ section, row }) => `§${section} ${row}`)).toEqual(
    inventory.map(({ section, row }) => `§${section} ${row}`),
  )
})

test("no row is empty", () => {
  expect(table.filter(({ proofs }) => proofs.length === 0)).toEqual([])
})

test("every test of the sandbox that the table names exists", () => {
  const missing = table
    .flatMap(({ proofs }) => proofs)
    .filter(({ file }) => file.startsWith("sandbox/__tests__/"))
    .filter(({ file, title }) => !titles.get(path.basename(file))?.has(title))
  expect(missing).toEqual([])
})

test(CONSTANT_TIME, () => {
  // No outcome shows how a comparison was made, so the source is looked at.
  const source = readFileSync(path.join(ROOT, "src", "contract", "signature.ts"), "utf8")
  const verify = source.slice(source.indexOf("export function verifyDelivery"))
  expect(verify).toMatch(/timingSafeEqual\(/)
  expect(verify).not.toMatch(/signature\s*[=!]==|[=!]==\s*(input\.)?signature/)
})
