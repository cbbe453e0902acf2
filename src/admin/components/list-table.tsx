import { DataTable } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import { type ComponentProps, useMemo } from "react"
import { useIsPhone } from "../hooks/use-is-phone"
import { PAGE_SIZE } from "../hooks/use-table-query"
import { useText } from "../hooks/use-text"
import { EmptyState } from "./empty-state"
import { ErrorNotice } from "./error-notice"
import { NextStep } from "./next-step"
import { Section } from "./section"

/** Lists by the place of their texts: heading, subheading, an empty list, and filters that match nothing. */
type ListTexts =
  | "campaigns"
  | "campaigns.days"
  | "connections"
  | "deliveries"
  | "orders"
  | "products"
  | "shows"

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>

type ListTableProps<Row> = Pick<
  TableProps<Row>,
  | "columns"
  | "filters"
  | "action"
  | "actions"
  | "commands"
  | "rowSelection"
  | "getRowId"
  | "rowHref"
> & {
  texts: ListTexts
  /** The request for a page of the list. */
  list: {
    data: { count: number } | undefined
    isPending: boolean
    error: Error | null
    refetch: () => unknown
  }
  /** Of that page; undefined until the first answer. */
  rows: Row[] | undefined
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
  texts,
  list: { data, isPending, error, refetch },
  rows,
  phoneColumns,
  columns,
  ...table
}: ListTableProps<Row>) {
  const { t } = useText()
  const isPhone = useIsPhone()
  const shown = useMemo(
    () => (isPhone ? columns.filter((column) => phoneColumns.includes(nameOf(column))) : columns),
    [isPhone, columns, phoneColumns],
  )
  const heading = t(`${texts}.heading`)
  const subheading = t(`${texts}.subheading`)
  if (error && !rows) {
    return (
      <Section heading={heading} subheading={subheading}>
        <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
      </Section>
    )
  }
  const wordsOf = (state: "empty" | "noResults") => ({
    heading: t(`${texts}.${state}.heading`),
    description: t(`${texts}.${state}.description`),
  })
  return (
    // Medusa's toolbar keeps heading, search and button on one line, and each cell of a row too; a phone is too narrow for
    // that. Amounts have spaces that do not break.
    <Container className="divide-y p-0 [&_button]:shrink-0 [&_button]:whitespace-nowrap max-md:[&_div.justify-between]:flex-wrap max-md:[&_td]:whitespace-normal max-md:[&_td_.truncate]:whitespace-normal max-md:[&_th]:whitespace-normal max-md:[&_th_button]:whitespace-normal max-md:[&_td:not(:last-child)]:pr-3 max-md:[&_th:not(:last-child)]:pr-3">
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-3" />}
      <DataTable
        pageSize={PAGE_SIZE}
        heading={heading}
        subHeading={subheading}
        data={rows}
        rowCount={data?.count}
        isLoading={isPending}
        {...table}
        columns={shown}
        emptyState={{
          empty: {
            custom: (
              <EmptyState {...wordsOf("empty")}>
                <NextStep />
              </EmptyState>
            ),
          },
          filtered: { custom: <EmptyState {...wordsOf("noResults")} /> },
        }}
      />
    </Container>
  )
}
