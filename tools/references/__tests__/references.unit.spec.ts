import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { findProblems } from "../check"
import { findCitations } from "../citations"

/** This file is checked too, so what leads nowhere must not stand here in one piece. */
const S = "§"
const G = "gap"
const NPX = "npx"

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

  it("names each command that npm would fetch under a name that may be somebody else's", () => {
    write(
      "docs/a.md",
      [
        "`NPX --no-install svc-sandbox --port 0`, `NPX medusa db:migrate`",
        "`NPX medusa-plugin-svc doctor` or `NPX --no svc-sandbox`",
        "NPX",
        "svc-storefront add next",
      ]
        .join("\n")
        .replaceAll("NPX", NPX),
    )
    write("src/texts/en.json", `"Run ${NPX} medusa-plugin-svc"`)
    expect(findProblems(root).map(({ file, line }) => `${file}:${line}`)).toEqual([
      "src/texts/en.json:1",
      "docs/a.md:2",
      "docs/a.md:2",
      "docs/a.md:3",
    ])
  })
})
