import { Container, Skeleton } from "@medusajs/ui"
import { ErrorNotice } from "./error-notice"
import { RowsSkeleton } from "./section"

type PagePlaceholderProps = { error: Error | null; onRetry: () => unknown; rows: number }

/** In place of a page whose record is not there yet: its outline, or why it cannot be read. */
export const PagePlaceholder = ({ error, onRetry, rows }: PagePlaceholderProps) => (
  <Container className="divide-y p-0">
    {error ? (
      <ErrorNotice error={error} onRetry={onRetry} className="px-6 py-4" />
    ) : (
      <>
        <div className="px-6 py-4">
          <Skeleton className="h-7 w-48" />
        </div>
        <RowsSkeleton rows={rows} />
      </>
    )}
  </Container>
)
