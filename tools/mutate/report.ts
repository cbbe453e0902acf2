/** The report of `npm run mutate`: written for people, and read again for what was not tried this time. */
import { existsSync, readFileSync } from "node:fs"

export type FileResult = {
  file: string
  tried: number
  /** Those that no test noticed: where, and what stood there instead. */
  survived: string[]
  /** Those that the sources name as equal to the code. */
  ignored: number
}

const AT_LEAST = 95
/** What verifies a delivery and what merges two: not one place may go unnoticed. */
const WHOLE: ReadonlySet<string> = new Set([
  "src/contract/signature.ts",
  "src/modules/svc/shows/merge.ts",
])

const HEAD = `# Mutants

Written by \`npm run mutate\`. It breaks the code that decides which deliveries get in and what a show looks like, one
place at a time, and runs the unit tests against each. A mutant that no test notices is listed below. At least ${AT_LEAST} %
of each file's have to be noticed, and all of those marked with 100 %. "Left out" are those that the sources mark, with
the reason beside them, as doing the same as the code.

| file | mutants | noticed | share | at least | left out |
| --- | ---: | ---: | ---: | ---: | ---: |
`
const ROW = /^\| `(.+)` \| (\d+) \| (\d+) \| .* \| (\d+) \|$/
const SURVIVOR = /^- `(.+?)` (.+)$/

const shareOf = ({ tried, survived }: FileResult): number =>
  tried === 0 ? 100 : (100 * (tried - survived.length)) / tried
const markOf = ({ file }: FileResult): number => (WHOLE.has(file) ? 100 : AT_LEAST)

export function report(results: FileResult[]): { text: string; isGood: boolean } {
  const sorted = [...results].sort((a, b) => (a.file < b.file ? -1 : 1))
  const rows = sorted.map((result) => {
    const { file, tried, survived, ignored } = result
    const share = Math.floor(shareOf(result) * 10) / 10
    return `| \`${file}\` | ${tried} | ${tried - survived.length} | ${share} % | ${markOf(result)} % | ${ignored} |`
  })
  const survivors = sorted.flatMap(({ file, survived }) =>
    // Code that reads like a Markdown link would be one.
    survived.map((where) => `- \`${file}\` ${where.replaceAll("](", "] (")}`),
  )
  return {
    text: `${HEAD}${rows.join("\n")}\n\n## Not noticed\n\n${survivors.join("\n") || "None."}\n`,
    isGood: sorted.every((result) => shareOf(result) >= markOf(result)),
  }
}

export function readReport(path: string): FileResult[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n")
  const survivors = lines.flatMap((line) => {
    const [, file, where] = SURVIVOR.exec(line) ?? []
    return file && where ? [{ file, where }] : []
  })
  return lines.flatMap((line) => {
    const [, file, tried, , ignored] = ROW.exec(line) ?? []
    if (!file) return []
    return [
      {
        file,
        tried: Number(tried),
        survived: survivors.filter((one) => one.file === file).map(({ where }) => where),
        ignored: Number(ignored),
      },
    ]
  })
}
