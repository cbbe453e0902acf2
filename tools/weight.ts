/**
 * `npm run weight`: lines that hold code (no blank lines, no comments), by room, of what git tracks. Part of
 * `npm run check`, which fails where a room has grown by more than a tenth over what `docs/weight.md` says of it. A room
 * may grow: then its new figure and the reason are written into that page, in the same commit. `--write` takes over the
 * figures of rooms that became lighter or are new, and leaves the reasons.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"

const PAGE = "docs/weight.md"
const MAY_GROW = 1.1
/** A small room has grown by a tenth with one function. */
const MAY_GROW_LINES = 60

/** Lines of a source on which a token stands. */
export function codeLines(file: string, text: string): number {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : undefined
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source)
    const [start, end] = [node.getStart(source), node.getEnd()]
    if (children.length === 0 && end > start) {
      const last = source.getLineAndCharacterOfPosition(end).line
      for (let line = source.getLineAndCharacterOfPosition(start).line; line <= last; line++)
        lines.add(line)
    }
    for (const child of children) {
      const isComment =
        child.kind >= ts.SyntaxKind.FirstJSDocNode && child.kind <= ts.SyntaxKind.LastJSDocNode
      if (!isComment) visit(child)
    }
  }
  visit(source)
  return lines.size
}

/** The room that a file stands in; null where what it holds is generated. */
export function roomOf(file: string): string | null {
  const [top = "", second = "", third = "", fourth = ""] = file.split("/")
  const isTest = /__tests__|\.spec\.|\.test\.|\/fixtures?\//.test(file)
  if (isTest || top === "integration-tests") return `tests of ${top}`
  if (top !== "src") return file.includes("/") ? top : "configuration"
  if (second === "modules" || second === "workflows") {
    if (third === "svc" && fourth === "migrations") return null
    const [room, inside] = second === "modules" ? [fourth, file.split("/")[4]] : [third, fourth]
    return `src/${second}/${inside ? room : "."}`
  }
  return `src/${second}`
}

export function weigh(root: string): Map<string, number> {
  const list = execFileSync("git", ["ls-files", "--", "*.ts", "*.tsx", "*.mjs", "*.js"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  const rooms = new Map<string, number>()
  for (const file of list.trim().split("\n")) {
    const room = roomOf(file)
    if (room === null) continue
    let text: string
    try {
      text = readFileSync(join(root, file), "utf8")
    } catch {
      continue // Deleted, and not committed yet.
    }
    rooms.set(room, (rooms.get(room) ?? 0) + codeLines(file, text))
  }
  return new Map([...rooms].sort(([a], [b]) => a.localeCompare(b)))
}

type Known = { lines: number; why: string }

export function readPage(text: string): Map<string, Known> {
  const rows = text.matchAll(/^\| `([^`]+)` \| (\d+) \| (.*?) ?\|$/gm)
  return new Map(
    [...rows].map(([, room = "", lines, why = ""]) => [room, { lines: Number(lines), why }]),
  )
}

/** Rooms that have grown by more than they may without a word. */
export function tooHeavy(rooms: Map<string, number>, known: Map<string, Known>): string[] {
  return [...rooms].flatMap(([room, lines]) => {
    const before = known.get(room)?.lines ?? 0
    const most = Math.max(Math.floor(before * MAY_GROW), before + MAY_GROW_LINES)
    return lines <= most
      ? []
      : [
          `${room} holds ${lines} lines of code, and ${PAGE} knows ${before}. Make it lighter, or write ${lines} and the reason into that page.`,
        ]
  })
}

function page(rooms: Map<string, number>, known: Map<string, Known>): string {
  const row = ([room, lines]: [string, number]) => {
    const before = known.get(room)
    const isHeavier = before !== undefined && lines > before.lines
    return `| \`${room}\` | ${isHeavier ? before.lines : lines} | ${before?.why ?? ""} |`
  }
  return `# Weight

Lines that hold code, by room: what somebody has to carry on. \`npm run check\` fails where a room has grown by more than a
tenth over its figure here; whoever lets it grow writes the new figure and the reason into its row. \`npm run weight -- --write\`
takes over what became lighter.

| room | lines | why it grew |
|---|---|---|
${[...rooms].map(row).join("\n")}
`
}

function main(): void {
  const root = join(__dirname, "..")
  const rooms = weigh(root)
  let known = new Map<string, Known>()
  try {
    known = readPage(readFileSync(join(root, PAGE), "utf8"))
  } catch {
    // The page is made anew.
  }
  if (process.argv.includes("--write")) writeFileSync(join(root, PAGE), page(rooms, known))
  const width = Math.max(...[...rooms.keys()].map((room) => room.length))
  for (const [room, lines] of rooms) console.log(`${room.padEnd(width)}  ${lines}`)
  const product = [...rooms].filter(([room]) => room.startsWith("src"))
  console.log(`${"src, together".padEnd(width)}  ${product.reduce((sum, [, n]) => sum + n, 0)}`)
  const problems = process.argv.includes("--write") ? [] : tooHeavy(rooms, known)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (require.main === module) main()
