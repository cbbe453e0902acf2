/**
 * Finds what a file cites of docs/interface.md and docs/gaps.md, which files and anchors it links to, and which of our
 * commands it tells somebody to run. Pure.
 */

export type Citation = { line: number } & (
  | { kind: "gap"; gap: string }
  | { kind: "section"; section: string; row: string | null }
)

/** A line break within a comment, with the comment's own marks. */
const SPACE = String.raw`(?:[ \t]|\r?\n[ \t]*(?:\*|//|#)?[ \t]?)+`
const NUMBER = String.raw`\d{1,3}[a-z]?(?![\w])`
/** `gap 12`, `gaps 40, 44`, `gaps 33 to 37`, `gap 9, gap 18`. */
const GAP = new RegExp(
  String.raw`\bgaps?${SPACE}(${NUMBER}(?:\s*(?:,|and|or|to|-|–)\s*(?:gaps?\s+)?${NUMBER})*)`,
  "gi",
)
/** `gap: "2, 19"` in a table of profiles, `"x-gap": "33, 34"` in a schema. */
const GAP_FIELD = /\bgap"?:\s*"([^"§]*)"/g
/** `§6.2`, `§6.2 rule 2`, `§2.1 point 6`. */
const SECTION = new RegExp(
  String.raw`§[ ]?(\d+(?:\.\d+)*)(?:${SPACE}((?:rule|point)${SPACE}\d+))?`,
  "g",
)

/** Every citation of a text, with its line, counted from 1. */
export function findCitations(text: string): Citation[] {
  const found: (Citation & { at: number })[] = []
  const lineOf = (index: number): number => text.slice(0, index).split("\n").length
  for (const pattern of [GAP, GAP_FIELD]) {
    for (const match of text.matchAll(pattern)) {
      for (const gap of gapsOf(match[1] ?? "")) {
        found.push({ at: match.index, line: lineOf(match.index), kind: "gap", gap })
      }
    }
  }
  for (const match of text.matchAll(SECTION)) {
    const [, section = "", row] = match
    found.push({
      at: match.index,
      line: lineOf(match.index),
      kind: "section",
      section,
      row: row === undefined ? null : row.replace(/^(\w+)\W+/, "$1 "),
    })
  }
  return found.sort((a, b) => a.at - b.at).map(({ at, ...citation }) => citation)
}

/** The numbers of `40, 44` or `33 to 37`; of a range, each number in it. */
function gapsOf(list: string): string[] {
  const gaps: string[] = []
  for (const [, from = "", to] of list.matchAll(
    /(\d+[a-z]?)(?:\s*(?:to|-|–)\s*(?:gaps?\s+)?(\d+[a-z]?))?/gi,
  )) {
    gaps.push(from)
    if (to === undefined) continue
    for (let gap = Number.parseInt(from, 10) + 1; gap < Number.parseInt(to, 10); gap += 1) {
      gaps.push(String(gap))
    }
    gaps.push(to)
  }
  return gaps
}

/** A link to a file of the repository; `path` is empty for one within the page. */
export type Link = { line: number; path: string; anchor: string | null }

/** The links of a Markdown page that do not leave the repository. */
export function findLinks(markdown: string): Link[] {
  const links: Link[] = []
  for (const match of markdown.matchAll(/\]\(([^()\s]+)\)/g)) {
    const target = match[1] ?? ""
    if (/^[a-z][a-z+.-]*:/i.test(target)) continue
    const [path = "", anchor] = target.split("#")
    const line = markdown.slice(0, match.index).split("\n").length
    links.push({ line, path, anchor: anchor ?? null })
  }
  return links
}

/** Without `--no-install` npm runs whatever the registry has under the name where nothing is installed; `--no` loses flags. */
const FETCHING = new RegExp(
  String.raw`\bnpx${SPACE}(?!--no-install )(?:-\S+ )*(?:medusa-plugin-svc|svc-sandbox|svc-storefront)\b`,
  "g",
)

/** The lines on which a command of ours is run in another way than `npx --no-install`. */
export const findFetchingCommands = (text: string): number[] =>
  [...text.matchAll(FETCHING)].map(({ index }) => text.slice(0, index).split("\n").length)
