import { clx, DataTable, useDataTable } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { type Column, ON_A_PHONE, useColumns } from "./columns"

type RowTableProps<Row> = {
  columns: readonly Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  /** Where a row leads. */
  href?: (row: Row) => string
}

/** A few rows in a card, by the columns of the lists: without pages, order and filters. */
export function RowTable<Row>({ columns, rows, rowId, href }: RowTableProps<Row>) {
  const navigate = useNavigate()
  const instance = useDataTable<Row>({
    data: rows,
    rowCount: rows.length,
    columns: useColumns({ columns, linkOf: href }),
    getRowId: rowId,
    onRowClick: href && ((_event, row) => navigate(href(row))),
  })
  return (
    // The card has its own lines.
    <DataTable instance={instance} className={clx("[&_.border-y]:border-y-0", ON_A_PHONE)}>
      <DataTable.Table />
    </DataTable>
  )
}
