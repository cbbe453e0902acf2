import { CodeBlock } from "@medusajs/ui"

type JsonViewProps = { parts: { label: string; value: unknown; nothing: string }[] }

/** JSON exactly as it travels, with a copy button; several parts become tabs. */
export const JsonView = ({ parts }: JsonViewProps) => {
  const snippets = parts.map(({ label, value, nothing }) => ({
    label,
    language: "json",
    code: value === null || value === undefined ? nothing : JSON.stringify(value, null, 2),
    hideLineNumbers: true,
  }))
  return (
    // Medusa's component keeps the snippets that it was first given: another key makes it read new ones.
    <CodeBlock key={snippets.map(({ code }) => code).join("\n")} snippets={snippets} dir="ltr">
      <CodeBlock.Header />
      <CodeBlock.Body
        className="text-xs leading-5 [&_pre]:!text-xs [&_pre]:!leading-5"
        // So that the keyboard can scroll it.
        tabIndex={0}
      />
    </CodeBlock>
  )
}
