import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { FINDING_TEXTS, type FindingCode, REASONS, type ReasonCode } from ".."
import english from "../en.json"

const SRC = join(__dirname, "../..")
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("__tests__"))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }))

/** Functions that take a code and the values that its sentences name. */
const SAYING = new Set(["reasonFor", "catalogReason", "finding", "find"])

type Call = { place: string; code: string; given: string[] }

/** Every call with a code that is written out, and with values that are written out or none at all. */
function calls(file: string, text: string): Call[] {
  const found: Call[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || !SAYING.has(node.expression.getText())) return
    const [code, values] = node.arguments
    if (!code || !ts.isStringLiteral(code)) return
    if (values && !ts.isObjectLiteralExpression(values)) return
    if (values?.properties.some(ts.isSpreadAssignment)) return
    const given = values?.properties.map((property) => property.name?.getText() ?? "") ?? []
    found.push({ place: `${file}: ${code.text}`, code: code.text, given })
  }
  visit(source)
  return found
}

const named = ({ message, fix }: { message: string; fix: string }): string[] =>
  [...`${message} ${fix}`.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name]) => name ?? [])

it("is given every value that its sentences name, wherever a reason is made", () => {
  const all = files.flatMap(({ file, text }) => calls(file, text))
  expect(all.length).toBeGreaterThan(80)
  const open = all.flatMap(({ place, code, given }) => {
    const text = REASONS[code as ReasonCode] ?? FINDING_TEXTS[code as FindingCode]
    return named(text)
      .filter((name) => !given.includes(name))
      .map((name) => `${place} lacks ${name}`)
  })
  expect(open).toEqual([])
})

it("holds no sentence that nobody says", () => {
  const code = files.map(({ text }) => text).join("\n")
  const codes = [...Object.keys(english.reasons), ...Object.keys(english.findings)]
  expect(codes.filter((each) => !new RegExp(`\\b${each}\\b`).test(code))).toEqual([])
})

it("is the only place that says what to do", () => {
  const elsewhere = files.filter(({ text }) => /\bfix: ["'`]\w/.test(text)).map(({ file }) => file)
  expect(elsewhere).toEqual([])
})
