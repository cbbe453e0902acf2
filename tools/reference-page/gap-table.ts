/** The part of docs/conformance.md that is made from the tests: which of them cite a gap of the interface. Pure. */
import { findCitations } from "../references/citations"
import { GAPS_HEADING } from "../references/proofs"
import { table } from "./page"

/** A file of tests, or a part of one, by its path from the root of the repository. */
export type TestFile = { path: string; text: string }

const NOTE = `Written by \`npm run reference\`: the files of tests that cite each of [the gaps](gaps.md), and where they run. "full" is
\`npm run test:full\`; all else is \`npm test\`.`

/** A row of docs/gaps.md begins with `| <a id="gap-12"></a>12 | what it is about |`. */
const GAP = /^\| <a id="gap-(\w+)"><\/a>\w+ \| ([^|]+) \| (.*)$/gm

const runsIn = (path: string, isLong: (path: string) => boolean): string => {
  const [, kind] = /^integration-tests\/(http|browser|package)\//.exec(path) ?? []
  // A part of a spec stands in a folder of the spec's name.
  const spec = `${path.slice(0, path.lastIndexOf("/"))}.spec.ts`
  return isLong(path) || isLong(spec)
    ? "full"
    : (kind ?? (path.startsWith("sandbox/") ? "sandbox" : "unit"))
}
const shortened = (path: string): string =>
  path.replace(/^integration-tests\//, "").replace(/__tests__\/|(\.unit)?(\.spec)?\.ts$/g, "")

/**
 * @param gaps docs/gaps.md
 * @param isLong whether a file is left to the full run
 * @throws where no test cites a gap
 */
export function gapTable(
  gaps: string,
  tests: TestFile[],
  isLong: (path: string) => boolean,
): string {
  const citing = new Map<string, Set<string>>()
  for (const { path, text } of tests) {
    for (const citation of findCitations(text)) {
      if (citation.kind !== "gap") continue
      citing.set(citation.gap, (citing.get(citation.gap) ?? new Set()).add(path))
    }
  }
  const uncited: string[] = []
  const rows = [...gaps.matchAll(GAP)].map(([, gap = "", what = "", decision = ""]) => {
    const paths = [...(citing.get(gap) ?? [])].sort()
    const isBuilt = !decision.startsWith("**Not built yet:**")
    if (isBuilt && paths.length === 0) uncited.push(`${gap} (${what.trim()})`)
    const where = [...new Set(paths.map((path) => runsIn(path, isLong)))].sort()
    return [
      `[${gap}](gaps.md#gap-${gap})`,
      what.trim(),
      paths.map((path) => `\`${shortened(path)}\``).join(" "),
      isBuilt ? where.join(", ") : "not built yet",
    ]
  })
  if (uncited.length > 0) throw new Error(`No test cites these gaps: ${uncited.join("; ")}.`)
  return `${GAPS_HEADING}\n\n${NOTE}\n\n${table(["gap", "what", "tests", "run"], rows)}\n`
}
