import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useNamedParts } from "../hooks/use-named-parts"
import { Loaded, type Question } from "./section"

type PageLayoutProps = {
  /** Names the page for widgets and for what people rearrange, as `svc_product.list`. */
  zone: string
  data?: object
  /** Cards in their order, each by a name that stays. */
  sections: Record<string, ReactNode>
}

/** A page of one column, as Medusa lays out its own; drawers of the page open over it. */
export const PageLayout = ({ zone, data, sections }: PageLayoutProps) => {
  useNamedParts()
  return (
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
