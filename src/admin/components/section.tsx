import { Container, Copy, Heading, Skeleton, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { ErrorNotice } from "./error-notice"

type SectionProps = {
  heading: string
  /** Of the heading: the first card of a page names the page. */
  level?: "h1" | "h2"
  /** A picture before it. */
  picture?: ReactNode
  subheading?: ReactNode
  /** Beside the heading: a state, buttons, a menu. */
  aside?: ReactNode
  children?: ReactNode
}

/** A card of a page, as Medusa's own: heading, then rows divided by lines. */
export const Section = ({
  heading,
  level = "h2",
  picture,
  subheading,
  aside,
  children,
}: SectionProps) => (
  <Container className="divide-y p-0">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-6 py-4">
      <div className="flex min-w-0 items-center gap-x-4">
        {picture}
        <div className="min-w-0">
          <Heading level={level} className="break-words">
            {heading}
          </Heading>
          {subheading && (
            <Text size="small" className="text-ui-fg-subtle text-pretty">
              {subheading}
            </Text>
          )}
        </div>
      </div>
      {aside && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
    </div>
    {children}
  </Container>
)

/** As high as the rows that will replace it, so that the page does not jump when they arrive. */
const RowsSkeleton = ({ rows }: { rows: number }) => (
  <>
    {Array.from({ length: rows }, (_, index) => index).map((row) => (
      <div key={row} className="grid grid-cols-2 gap-4 px-6 py-4" aria-hidden>
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-5 w-40 max-w-full" />
      </div>
    ))}
  </>
)

/** A sentence in the place of rows. */
export const QuietLine = ({ children, role }: { children: ReactNode; role?: "status" }) => (
  <Text size="small" role={role} className="text-ui-fg-subtle px-6 py-4">
    {children}
  </Text>
)

export type Question<Data> = {
  data: Data | undefined
  error: Error | null
  refetch: () => unknown
}

type LoadedProps<Data> = {
  query: Question<Data>
  /** As many as there will be, about. */
  rows: number
  children: (data: Data) => ReactNode
}

/**
 * Rows of an answer once it is there; before that their places, or why it did not come. What was read before stays: a lost
 * connection must not take away what people are reading.
 */
export function Loaded<Data>({
  query: { data, error, refetch },
  rows,
  children,
}: LoadedProps<Data>) {
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />}
      {data !== undefined ? children(data) : !error && <RowsSkeleton rows={rows} />}
    </>
  )
}

/** An id or an address, which breaks where a phone is too narrow for it; with a button that copies it. */
export const LongText = ({ text, copy = false }: { text: string; copy?: boolean }) => (
  <span className="flex min-w-0 items-center gap-x-1">
    <span className="min-w-0 break-all">{text}</span>
    {copy && <Copy content={text} variant="mini" className="text-ui-fg-muted" />}
  </span>
)
