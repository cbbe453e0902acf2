/** Reads what can be cited: the rows of docs/interface.md, the gaps of docs/gaps.md, the anchors of any page. Pure. */

/** One row of a table in docs/interface.md, as `interface §6.2 rule 2` cites it. */
type InterfaceRow = {
  /** `6.2` */
  section: string
  /** First cell; unique in its section: `rule 2`, `` `svc.test` ``. */
  row: string
  /** The other cells, as written. */
  cells: string[]
}
type InterfaceDocument = { sections: Set<string>; rows: InterfaceRow[] }

/** Heads of first columns: a table whose first column is called otherwise would be lost without a word. */
const ROW_HEADS = new Set([
  "row",
  "field",
  "from",
  "action",
  "topic",
  "header",
  "attempt",
  "outcome",
  "limit",
])

/**
 * Reads the sections and rows of docs/interface.md.
 * @throws where a section lacks its anchor, a table has an unknown first column, or a row's name is used twice
 */
export function readInterface(markdown: string): InterfaceDocument {
  const sections = new Set<string>()
  const rows: InterfaceRow[] = []
  const seen = new Set<string>()
  let section = ""
  let anchor = ""
  let inTable = false
  for (const line of markdown.split("\n")) {
    anchor = /^<a id="s([\d.]+)"><\/a>$/.exec(line)?.[1] ?? anchor
    const heading = /^#{2,3} §(\d+(?:\.\d+)*) /.exec(line)?.[1]
    if (heading) {
      if (anchor !== heading)
        throw new Error(`§${heading} has no <a id="s${heading}"></a> above it`)
      sections.add(heading)
      section = heading
    }
    if (!line.startsWith("|")) {
      inTable = false
      continue
    }
    if (/^\|[-|\s]+\|$/.test(line)) continue
    const [row = "", ...cells] = cellsOf(line)
    if (!inTable) {
      inTable = true
      if (section === "") throw new Error(`A table stands before the first section: ${line}`)
      if (!ROW_HEADS.has(row)) throw new Error(`§${section}: a table's first column is "${row}"`)
      continue
    }
    const name = `§${section} ${row}`
    if (seen.has(name)) throw new Error(`${name} is there twice`)
    seen.add(name)
    rows.push({ section, row, cells })
  }
  return { sections, rows }
}

/** A `|` inside a cell is written `\|`. */
const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/**
 * Reads the numbers of docs/gaps.md: `1`, `45a`.
 * @throws where a number is there twice, or its anchor is another's
 */
export function readGaps(markdown: string): Set<string> {
  const gaps = new Set<string>()
  for (const [, anchor = "", number] of markdown.matchAll(
    /^\| <a id="gap-(\w+)"><\/a>(\w+) \|/gm,
  )) {
    if (anchor !== number) throw new Error(`Gap ${number} has the anchor of gap ${anchor}`)
    if (gaps.has(anchor)) throw new Error(`Gap ${anchor} is there twice`)
    gaps.add(anchor)
  }
  return gaps
}

/** What `#...` can name in a Markdown page: ids that are written there, and headings as GitHub names them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id))
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, "")
  for (const [, title = ""] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const base = title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
    let anchor = base
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${base}-${copy}`
    anchors.add(anchor)
  }
  return anchors
}
