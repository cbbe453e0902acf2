import { CodeBlock } from "@medusajs/ui"

type CodeSampleProps = { snippets: { label: string; language: string; code: string }[] }

/** Lines to read or to paste elsewhere, with a copy button; several become tabs. */
export const CodeSample = ({ snippets }: CodeSampleProps) => (
  // Medusa's component keeps the snippets that it was first given: another key makes it read new ones.
  <CodeBlock
    key={JSON.stringify(snippets)}
    snippets={snippets.map((snippet) => ({ ...snippet, hideLineNumbers: true }))}
    dir="ltr"
  >
    <CodeBlock.Header />
    <CodeBlock.Body
      className="text-xs leading-5 [&_pre]:!text-xs [&_pre]:!leading-5"
      // So that the keyboard can scroll long lines.
      tabIndex={0}
    />
  </CodeBlock>
)

/** JSON exactly as it travels. */
export const json = (label: string, value: unknown, nothing = "") => ({
  label,
  language: "json",
  code: value === null || value === undefined ? nothing : JSON.stringify(value, null, 2),
})
