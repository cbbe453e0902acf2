/** Reads from the TypeScript sources what the reference page lists, so that the page cannot say anything else. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import ts from "typescript"

export type Route = { method: string; path: string; what: string }
export type Refusal = { code: string; status: number; what: string }
export type WrittenReason = { code: string; message: string; fix: string; file: string }
export type BusEvent = { name: string; what: string }

const METHODS = new Set(["GET", "POST", "DELETE", "PUT", "PATCH"])

/** Sources below a folder, tests left out, in the order of their names. */
function sources(root: string, folder: string): { file: string; source: ts.SourceFile }[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => /\.ts$/.test(file) && !file.includes("__tests__"))
    .sort()
    .map((file) => ({ file, source: parse(root, file) }))
}

const parse = (root: string, file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true)

function visit(node: ts.Node, found: (node: ts.Node) => void): void {
  found(node)
  ts.forEachChild(node, (child) => visit(child, found))
}

/** The comment above a declaration, as one line; without its tags. */
function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return (ts.getTextOfJSDocComment(comment?.comment) ?? "").replace(/\s+/g, " ").trim()
}

/** The text of a string; of a template with `{name}` where a value goes in; null where it is neither. */
function textOf(node: ts.Expression | undefined): string | null {
  if (!node) return null
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(({ expression, literal }) => {
      const name = ts.isIdentifier(expression) ? expression.text : "…"
      return `{${name}}${literal.text}`
    })
    return (node.head.text + rest.join("")).replaceAll("{…}", "…")
  }
  return null
}

function property(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = node.properties.find((one) => one.name?.getText() === name)
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined
}

/** Every route of ours with the first sentence of its comment; the folder is its path. */
export function readRoutes(root: string): Route[] {
  const routes = sources(root, "src/api")
    .filter(({ file }) => file.endsWith(`${sep}route.ts`))
    .flatMap(({ file, source }) => {
      const path = `/${relative("src/api", file).split(sep).slice(0, -1).join("/")}`
      const inFile: Route[] = []
      for (const statement of source.statements) {
        const name = ts.isVariableStatement(statement)
          ? statement.declarationList.declarations[0]?.name.getText()
          : ts.isFunctionDeclaration(statement)
            ? statement.name?.text
            : undefined
        if (!name || !METHODS.has(name)) continue
        const what = commentOf(statement)
        inFile.push({ method: name, path: path.replaceAll(/\[(\w+)\]/g, ":$1"), what })
      }
      return inFile
    })
  return routes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** The list of refusals, each with the comment above it. */
export function readRefusals(root: string): Refusal[] {
  const refusals: Refusal[] = []
  visit(parse(root, "src/modules/svc/shared/refusal.ts"), (node) => {
    if (!ts.isPropertyAssignment(node) || !ts.isObjectLiteralExpression(node.initializer)) return
    const status = property(node.initializer, "status")
    if (!status) return
    refusals.push({
      code: node.name.getText(),
      status: Number(status.getText()),
      what: commentOf(node),
    })
  })
  return refusals
}

/** A list of codes with a sentence for each, by its file and name. */
export function readSentences(root: string, file: string, list: string): Record<string, string> {
  const sentences: Record<string, string> = {}
  visit(parse(root, file), (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== list || !node.initializer) return
    visit(node.initializer, (inner) => {
      const text = ts.isPropertyAssignment(inner) ? textOf(inner.initializer) : null
      if (text !== null) sentences[(inner as ts.PropertyAssignment).name.getText()] = text
    })
  })
  return sentences
}

/**
 * Every reason of the catalogue, with the first file that gives it; what the doctor finds is there too. A sentence that is
 * only a call's own words has none of its own.
 */
export function readReasons(root: string): WrittenReason[] {
  const { reasons, findings } = JSON.parse(
    readFileSync(join(root, "src/texts/en.json"), "utf8"),
  ) as Record<"reasons" | "findings", Record<string, { message: string; fix: string }>>
  const files = GIVEN_IN.flatMap((folder) => sources(root, folder))
  const texts = [...Object.entries(reasons), ...Object.entries(findings)]
  return texts.flatMap(([code, { message, fix }]) => {
    const named = new RegExp(`"${code}"|^\\s*${code}: "(critical|warning|info)"`, "m")
    const giver = files.find(({ source }) => named.test(source.text))
    return giver
      ? [
          {
            code,
            message: message === "{{problem}}" ? "The call says what it met." : message,
            fix,
            file: giver.file,
          },
        ]
      : []
  })
}

/** Where reasons are given, what is nearest to the service first. */
const GIVEN_IN = ["src/client", "src/modules/svc", "src/workflows"]

/** Every name of an event that is emitted on Medusa's bus. */
export function readEvents(root: string): BusEvent[] {
  const events = new Map<string, string>()
  for (const { source } of sources(root, "src/workflows")) {
    visit(source, (node) => {
      if (!ts.isStringLiteralLike(node) || !/^svc\.[a-z_]+\.[a-z_]+$/.test(node.text)) return
      const holder = ts.isPropertyAssignment(node.parent)
        ? node.parent
        : ts.isVariableDeclaration(node.parent)
          ? node.parent.parent.parent
          : null
      if (holder && !events.get(node.text)) events.set(node.text, commentOf(holder))
    })
  }
  return [...events]
    .map(([name, what]) => ({ name, what }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
