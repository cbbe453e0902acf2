/**
 * Part of `npm run check`: every `interface §N` and `gap N` in the repository must lead somewhere, and so must the
 * links between its Markdown pages. A comment that cites a rule nobody can read is worse than none. And a command of ours is
 * named as one that npm never fetches: our names on the registry may be somebody else's.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, extname, join, relative, resolve } from "node:path"
import { findCitations, findFetchingCommands, findLinks } from "./citations"
import { anchorsOf, readGaps, readInterface } from "./documents"

const PLACES = [
  "src",
  "sandbox",
  "storefront",
  "demo",
  "tools",
  "integration-tests",
  "benchmarks",
  "docs",
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
]
const TEXTS = new Set([
  ".css",
  ".html",
  ".js",
  ".json",
  ".jsx",
  ".md",
  ".mjs",
  ".py",
  ".sql",
  ".svg",
  ".ts",
  ".tsx",
])

export type Problem = { file: string; line: number; message: string }

/** Everything below `root` that leads nowhere. */
export function findProblems(root: string): Problem[] {
  const read = (file: string): string => readFileSync(join(root, file), "utf8")
  const { sections, rows } = readInterface(read("docs/interface.md"))
  const names = new Set(rows.map(({ section, row }) => `${section} ${row}`))
  const gaps = readGaps(read("docs/gaps.md"))

  const problems: Problem[] = []
  for (const file of PLACES.flatMap((place) => filesIn(root, place))) {
    const text = read(file)
    for (const citation of findCitations(text)) {
      const { line } = citation
      const report = (message: string) => problems.push({ file, line, message })
      if (citation.kind === "gap") {
        if (!gaps.has(citation.gap)) report(`gap ${citation.gap} is not in docs/gaps.md`)
        continue
      }
      const { section, row } = citation
      if (!sections.has(section)) report(`§${section} is not in docs/interface.md`)
      else if (row !== null && !names.has(`${section} ${row}`)) {
        report(`§${section} of docs/interface.md has no ${row}`)
      }
    }
    for (const line of findFetchingCommands(text)) {
      problems.push({ file, line, message: "a command of ours is run with npx --no-install" })
    }
    if (extname(file) !== ".md") continue
    for (const { line, path, anchor } of findLinks(text)) {
      const target = path === "" ? file : relative(root, resolve(root, dirname(file), path))
      const report = (message: string) => problems.push({ file, line, message })
      if (!existsSync(join(root, target))) report(`${target} does not exist`)
      else if (
        anchor !== null &&
        extname(target) === ".md" &&
        !anchorsOf(read(target)).has(anchor)
      ) {
        report(`${target} has no #${anchor}`)
      }
    }
  }
  return problems
}

/** Text files of a place, relative to the root; none where the place does not exist. */
function filesIn(root: string, place: string): string[] {
  const path = join(root, place)
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return TEXTS.has(extname(place)) ? [place] : []
  return readdirSync(path)
    .filter(
      (name) =>
        !["node_modules", "dist"].includes(basename(name)) && !basename(name).startsWith("."),
    )
    .sort()
    .flatMap((name) => filesIn(root, join(place, name)))
}

if (require.main === module) {
  const root = resolve(__dirname, "..", "..")
  const problems = findProblems(root)
  for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`)
  if (problems.length > 0) {
    console.error(`${problems.length} to mend.`)
    process.exitCode = 1
  }
}
