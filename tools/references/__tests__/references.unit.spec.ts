import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { findProblems } from "../check"
import { findCitations, findLinks } from "../citations"
import { anchorsOf, readGaps, readInterface } from "../documents"

const ROOT = resolve(__dirname, "..", "..", "..")
/** This file is checked too, so what leads nowhere must not stand here in one piece. */
const S = "§"
const G = "gap"

const gapsCited = (text: string) =>
  findCitations(text).flatMap((citation) => (citation.kind === "gap" ? [citation.gap] : []))

describe("citations of a gap", () => {
  it.each([
    [`(${G} 12)`, ["12"]],
    [`(${G} 45a)`, ["45a"]],
    [`${G}s 40, 44`, ["40", "44"]],
    [`${G}s 38 and 41.`, ["38", "41"]],
    [`${G} 9, ${G} 18`, ["9", "18"]],
    [`${G}s 33 to 36`, ["33", "34", "35", "36"]],
    [`${G}s 1-3`, ["1", "2", "3"]],
    [`settled by seeing it again (${G}\n   * 3)`, ["3"]],
    [`a decision, ${G}\n// 22, that`, ["22"]],
    [`${G}: "2, 19",`, ["2", "19"]],
    [`"x-${G}": "33, 34"`, ["33", "34"]],
    ["gap-y-4 grid-gap: 8px; gap 8px; stopgap; a gap of 3", []],
  ])("are found in %j", (text, gaps) => {
    expect(gapsCited(text)).toEqual(gaps)
  })

  it("are told by their line", () => {
    expect(findCitations(`one\ntwo\nthree ${G} 7`)).toEqual([{ line: 3, kind: "gap", gap: "7" }])
  })
})

describe("citations of a section", () => {
  it.each([
    [`interface ${S}6.2.`, { section: "6.2", row: null }],
    [`interface ${S}6`, { section: "6", row: null }],
    [`interface ${S}6.2 rule 2`, { section: "6.2", row: "rule 2" }],
    [`${S}2.1\n * point 6`, { section: "2.1", row: "point 6" }],
  ])("are found in %j", (text, cited) => {
    expect(findCitations(text)).toEqual([{ line: 1, kind: "section", ...cited }])
  })
})

describe("docs/interface.md", () => {
  const document = readInterface(readFileSync(join(ROOT, "docs/interface.md"), "utf8"))

  it("has every section of the interface", () => {
    const chapters: [string, number][] = [
      ["1", 0],
      ["2", 7],
      ["3", 3],
      ["4", 7],
      ["5", 0],
      ["6", 6],
      ["7", 0],
      ["8", 0],
      ["9", 0],
    ]
    expect([...document.sections]).toEqual(
      chapters.flatMap(([chapter, parts]) => [
        chapter,
        ...Array.from({ length: parts }, (_, part) => `${chapter}.${part + 1}`),
      ]),
    )
  })

  it("gives its rows with their facts", () => {
    const row = document.rows.find(({ section, row }) => section === "6.5" && row === "Name length")
    expect(row?.cells).toEqual(["1 to 64 characters"])
  })

  it("has at least one row in every section but the second and third chapter's own", () => {
    const filled = new Set(document.rows.map(({ section }) => section))
    expect([...document.sections].filter((section) => !filled.has(section))).toEqual(["2", "3"])
  })

  it.each([
    ["a section without its anchor", `## ${S}1 What\n`, "has no <a id"],
    [
      "a row that is there twice",
      '<a id="s1"></a>\n## §1 A\n| row | x |\n|---|---|\n| a | 1 |\n| a | 2 |\n',
      "twice",
    ],
    [
      "a table with an unknown first column",
      '<a id="s1"></a>\n## §1 A\n| thing | x |\n',
      "first column",
    ],
  ])("is refused with %s", (_what, markdown, message) => {
    expect(() => readInterface(markdown)).toThrow(message)
  })
})

describe("docs/gaps.md", () => {
  it("has the gaps 1 to 54 and the two that came between, in their order", () => {
    const upTo = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
    expect([...readGaps(readFileSync(join(ROOT, "docs/gaps.md"), "utf8"))]).toEqual([
      ...upTo(1, 45),
      "45a",
      "46",
      "46a",
      ...upTo(47, 54),
    ])
  })

  it.each([
    ["another's anchor", '| <a id="gap-2"></a>3 | x | y |\n', "has the anchor of"],
    ["a number twice", '| <a id="gap-2"></a>2 | x |\n| <a id="gap-2"></a>2 | y |\n', "twice"],
  ])("is refused with %s", (_what, markdown, message) => {
    expect(() => readGaps(markdown)).toThrow(message)
  })
})

describe("links between pages", () => {
  it("leave out what is outside the repository", () => {
    expect(
      findLinks("[a](https://x.test/y) [b](gaps.md#gap-1)\n[c](#here) ![d](images/d.png)"),
    ).toEqual([
      { line: 1, path: "gaps.md", anchor: "gap-1" },
      { line: 2, path: "", anchor: "here" },
      { line: 2, path: "images/d.png", anchor: null },
    ])
  })

  it("may name a heading as GitHub does, the second of one name too", () => {
    const anchors = anchorsOf(
      '# The `a` & b\n## Twice\n## Twice\n```sh\n# no heading\n```\n<a id="own"></a>',
    )
    expect([...anchors].sort()).toEqual(["own", "the-a--b", "twice", "twice-1"])
  })
})

describe("the check", () => {
  let root: string
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "references-"))
    write(
      "docs/interface.md",
      '<a id="s1"></a>\n\n## §1 A\n\n| row | x |\n|---|---|\n| rule 1 | y |\n',
    )
    write(
      "docs/gaps.md",
      '| gap | open | decision |\n|---|---|---|\n| <a id="gap-1"></a>1 | x | y |\n',
    )
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it("is content with what leads somewhere", () => {
    write("src/a.ts", `// interface ${S}1 rule 1, ${G} 1`)
    write("README.md", "[gaps](docs/gaps.md#gap-1) [interface](docs/interface.md#s1)")
    expect(findProblems(root)).toEqual([])
  })

  it("names each citation and link that leads nowhere, with its place", () => {
    write("src/deep/a.ts", `// interface ${S}1 rule 2\n// ${S}4.9 and ${G} 99`)
    write("sandbox/b.json", `{"x-${G}": "1, 77"}`)
    write("SECURITY.md", "[x](docs/gone.md)")
    write("docs/c.md", "[x](gone.md) [y](gaps.md#gap-2) [z](#nowhere)")
    expect(
      findProblems(root).map(({ file, line, message }) => `${file}:${line} ${message}`),
    ).toEqual([
      `src/deep/a.ts:1 ${S}1 of docs/interface.md has no rule 2`,
      `src/deep/a.ts:2 ${S}4.9 is not in docs/interface.md`,
      `src/deep/a.ts:2 ${G} 99 is not in docs/gaps.md`,
      `sandbox/b.json:1 ${G} 77 is not in docs/gaps.md`,
      "docs/c.md:1 docs/gone.md does not exist",
      "docs/c.md:1 docs/gaps.md has no #gap-2",
      "docs/c.md:1 docs/c.md has no #nowhere",
      "SECURITY.md:1 docs/gone.md does not exist",
    ])
  })

  it("finds nothing in this repository", () => {
    expect(findProblems(ROOT)).toEqual([])
  })
})
