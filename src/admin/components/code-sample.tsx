import { CodeBlock } from "@medusajs/ui"

type CodeSampleProps = { snippets: { label: string; language: string; code: string }[] }

/** Lines to paste elsewhere, with a copy button; a tab for each kind. */
export const CodeSample = ({ snippets }: CodeSampleProps) => (
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
