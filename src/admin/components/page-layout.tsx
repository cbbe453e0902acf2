import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useNamedParts } from "../hooks/use-named-parts"
import { ErrorNotice } from "./error-notice"
import { Loaded, type Question } from "./section"

type PageLayoutProps = {
  /** Names the page for widgets and for what people rearrange, as `svc_product.list`. */
  zone: string
  data?: object
  /** What the page was read by: where that fails later, what was read stays, and why stands above it. */
  query?: Question<unknown>
  /** Cards in their order, each by a name that stays. */
  sections: Record<string, ReactNode>
}

/** A page of one column, as Medusa lays out its own; drawers of the page open over it. */
export const PageLayout = ({ zone, data, query, sections }: PageLayoutProps) => {
  useNamedParts()
  return (
    <>
      {query?.error && (
        <Container className="mb-1 p-0">
          <ErrorNotice error={query.error} onRetry={query.refetch} className="px-6 py-4" />
        </Container>
      )}
      <LayoutComposer
        widgetsZonePrefix={zone}
        preferredLayoutId="core:single-column"
        data={data}
        sections={{
          main: (
            <>
              {Object.entries(sections).map(([id, section]) => (
                <LayoutComposer.Entry key={id} id={id}>
                  {section}
                </LayoutComposer.Entry>
              ))}
            </>
          ),
        }}
      />
    </>
  )
}

type PagePlaceholderProps = { query: Question<unknown>; rows: number }

/** In place of a page whose record is not there yet: its outline, or why it cannot be read. */
export const PagePlaceholder = ({ query, rows }: PagePlaceholderProps) => (
  <Container className="divide-y p-0">
    <Loaded query={query} rows={rows}>
      {() => null}
    </Loaded>
  </Container>
)
