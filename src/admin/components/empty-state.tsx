import { Text } from "@medusajs/ui"
import type { ReactNode } from "react"

type EmptyStateProps = { heading: string; description: string; children?: ReactNode }

/** For a list that is empty: why, and what makes something appear. */
export const EmptyState = ({ heading, description, children }: EmptyStateProps) => (
  <div className="flex w-full flex-col items-center justify-center gap-y-4 px-6 py-16">
    <div className="flex max-w-md flex-col items-center gap-y-1 text-center">
      <Text size="small" leading="compact" weight="plus">
        {heading}
      </Text>
      <Text size="small" className="text-ui-fg-subtle text-pretty">
        {description}
      </Text>
    </div>
    {children}
  </div>
)
