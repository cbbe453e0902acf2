import { Copy, clx } from "@medusajs/ui"

type CommandLineProps = { command: string; className?: string }

/** A command to run or a value to paste elsewhere, with a copy button. */
export const CommandLine = ({ command, className }: CommandLineProps) => (
  <div
    className={clx(
      "bg-ui-bg-component shadow-borders-base flex items-start justify-between gap-x-2 rounded-md px-3 py-2",
      className,
    )}
  >
    <code className="text-ui-fg-base min-w-0 break-all font-mono text-xs leading-5">{command}</code>
    <Copy content={command} variant="mini" className="text-ui-fg-muted mt-0.5 shrink-0" />
  </div>
)
