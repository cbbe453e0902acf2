import { DataTable } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { type ComponentProps, useMemo } from "react"
import { useIsPhone } from "../hooks/use-is-phone"
import { PAGE_SIZE } from "../hooks/use-table-query"
import { EmptyState } from "./empty-state"
import { ErrorNotice } from "./error-notice"
import { NextStep } from "./next-step"
import { Section } from "./section"

type Words = { heading: string; description: string }

type ListTableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, "emptyState"> & {
  heading: string
  error: Error | null
  onRetry: () => unknown
  /** Texts for an empty list, and for filters that match nothing. */
  empty: Words
  noResults: Words
  /** Names of the columns that a phone has room for: what the row is, its state, its amount. The row opens the others. */
  phoneColumns: readonly string[]
}

type Column<Row> = ListTableProps<Row>["columns"][number]

const nameOf = <Row,>(column: Column<Row>): string =>
  column.id ?? ("accessorKey" in column ? String(column.accessorKey) : "")

/**
 * Medusa's table with its state in the address. A failed request is shown in its place, but a page that was loaded
 * before stays: a lost connection must not take away what people are reading.
 */
export function ListTable<Row>({
  error,
  onRetry,
  empty,
  noResults,
  phoneColumns,
  columns,
  ...table
}: ListTableProps<Row>) {
  const isPhone = useIsPhone()
  const shown = useMemo(
    () => (isPhone ? columns.filter((column) => phoneColumns.includes(nameOf(column))) : columns),
    [isPhone, columns, phoneColumns],
  )
  if (error && !table.data) {
    return (
      <Section heading={table.heading} subheading={table.subHeading}>
        <ErrorNotice error={error} onRetry={onRetry} className="px-6 py-4" />
      </Section>
    )
  }
  return (
    // Medusa's toolbar keeps heading, search and button on one line, and each cell of a row too; a phone is too narrow for
    // that. Amounts have spaces that do not break.
    <Container className="divide-y p-0 [&_button]:shrink-0 [&_button]:whitespace-nowrap max-md:[&_div.justify-between]:flex-wrap max-md:[&_td]:whitespace-normal max-md:[&_td_.truncate]:whitespace-normal max-md:[&_th]:whitespace-normal max-md:[&_th_button]:whitespace-normal max-md:[&_td:not(:last-child)]:pr-3 max-md:[&_th:not(:last-child)]:pr-3">
      {error && <ErrorNotice error={error} onRetry={onRetry} className="px-6 py-3" />}
      <DataTable
        pageSize={PAGE_SIZE}
        {...table}
        columns={shown}
        emptyState={{
          empty: {
            custom: (
              <EmptyState {...empty}>
                <NextStep />
              </EmptyState>
            ),
          },
          filtered: { custom: <EmptyState {...noResults} /> },
        }}
      />
    </Container>
  )
}
