/** The code of the storefront guide, so that tests run what a reader copies out of it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const GUIDE = join(__dirname, "../../docs/storefront.md")

export type CodeBlock = { language: string; code: string }

/** The code blocks below a heading of the guide, up to the next heading. */
export function codeBelow(heading: string): CodeBlock[] {
  const sections = readFileSync(GUIDE, "utf8").split(/^#{2,3} /m)
  const section = sections.find((text) => text.startsWith(`${heading}\n`))
  if (!section) throw new Error(`The storefront guide has no "${heading}".`)
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }))
}
