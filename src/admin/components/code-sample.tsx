import { CodeBlock } from "@medusajs/ui"

type CodeSampleProps = { label: string; language: string; code: string }

/** Lines to paste elsewhere, with a copy button. */
export const CodeSample = ({ label, language, code }: CodeSampleProps) => (
  <CodeBlock
    key={code}
    snippets={[{ label, language, code, hideLineNumbers: true }]}
    dir="ltr"
    // So that the keyboard can scroll long lines.
    tabIndex={0}
  >
    <CodeBlock.Header />
    <CodeBlock.Body className="text-xs leading-5 [&_pre]:!text-xs [&_pre]:!leading-5" />
  </CodeBlock>
)
