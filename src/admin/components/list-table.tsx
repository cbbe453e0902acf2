import { DataTable } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { PAGE_SIZE } from "../hooks/use-table-query"
import { ErrorNotice } from "./error-notice"
import { Section } from "./section"

type ListTableProps<Row> = ComponentProps<typeof DataTable<Row>> & {
  heading: string
  error: Error | null
  onRetry: () => unknown
}

/**
 * Medusa's table with its state in the address, and a failed list in its place. While an earlier page is still
 * there, it stays: a lost connection does not take away what people read.
 */
export function ListTable<Row>({ error, onRetry, ...table }: ListTableProps<Row>) {
  if (error && !table.data) {
    return (
      <Section heading={table.heading} subheading={table.subHeading}>
        <ErrorNotice error={error} onRetry={onRetry} className="px-6 py-4" />
      </Section>
    )
  }
  return (
    <Container className="divide-y p-0">
      <DataTable pageSize={PAGE_SIZE} {...table} />
    </Container>
  )
}
