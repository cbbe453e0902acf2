/** Reads docs/conformance.md: which test proves which row of docs/interface.md. Pure. */

/** A test, by its file from the root of the repository and its title. */
type Proof = { file: string; title: string }
type ProvenRow = { section: string; row: string; proofs: Proof[] }

/** One test of a run, as jest reports it. */
export type RanTest = { file: string; title: string; status: string }

/** From here on the page is about gaps, and made from the tests. */
export const GAPS_HEADING = "## Gaps"

/**
 * Reads the tables; a `|` inside a cell is written `\\|`.
 * @throws where a proof is not written as `` `file`: title ``
 */
export function readProofs(markdown: string): ProvenRow[] {
  const rows: ProvenRow[] = []
  let section = ""
  const [byHand = ""] = markdown.split(GAPS_HEADING)
  for (const line of byHand.split("\n")) {
    section = /^## §(\S+)/.exec(line)?.[1] ?? section
    if (!line.startsWith("|") || /^\|[-|]+\|$/.test(line) || line.startsWith("| row |")) continue
    const [, row = "", cell = ""] = line.split(/(?<!\\)\|/).map((text) => text.trim())
    rows.push({ section, row, proofs: cell.split("<br>").filter(Boolean).map(readProof) })
  }
  return rows
}

function readProof(text: string): Proof {
  const [, file, title] = /^`([^`]+)`: (.+)$/.exec(text) ?? []
  if (!file || !title) throw new Error(`docs/conformance.md: cannot read the proof "${text}"`)
  const path = file.includes("/") ? file : `sandbox/__tests__/${file}`
  return { file: path, title: title.replaceAll("\\|", "|") }
}

/**
 * What the table claims and a whole run did not show. A title counts wherever it ran below the file's folder: the parts
 * of a spec that share a store run under the file that boots it.
 */
export function unproven(rows: ProvenRow[], ran: RanTest[]): string[] {
  const passed = new Map<string, string[]>()
  for (const { file, title, status } of ran) {
    if (status === "passed") passed.set(title, [...(passed.get(title) ?? []), file])
  }
  return rows.flatMap(({ section, row, proofs }) =>
    proofs
      .filter(({ file, title }) => !passed.get(title)?.some((ranIn) => isPartOf(file, ranIn)))
      .map(({ file, title }) => `§${section} ${row}: "${title}" of ${file} did not run and pass`),
  )
}

/** `http/cart/actions.ts` runs as part of `http/cart.spec.ts`. */
function isPartOf(file: string, ranIn: string): boolean {
  if (file === ranIn) return true
  const folder = file.slice(0, file.lastIndexOf("/"))
  return ranIn === `${folder}.spec.ts`
}
