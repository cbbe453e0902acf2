import { clx, Table } from "@medusajs/ui"
import { useNavigate } from "react-router-dom"
import { useText } from "../hooks/use-text"
import { type Column, RowLink } from "./columns"

type RowTableProps<Row> = {
  columns: readonly Column<Row>[]
  rows: Row[]
  rowId: (row: Row) => string
  /** Where a row leads. */
  href?: (row: Row) => string
}

/** A few rows in a card, by the columns of the lists: without pages, order and filters. */
export function RowTable<Row>({ columns, rows, rowId, href }: RowTableProps<Row>) {
  const { t } = useText()
  const navigate = useNavigate()
  // The last that a phone shows is as far from the edge as the card's other texts.
  const last = columns.filter(({ phone }) => phone).at(-1)
  const classOf = (column: Column<Row>) =>
    clx(
      column.right && "text-right",
      !column.phone && "max-md:hidden",
      column === last && "max-md:!pr-6",
    )
  return (
    <div className="overflow-x-auto">
      <Table className="max-md:[&_td]:whitespace-normal max-md:[&_td_.truncate]:whitespace-normal max-md:[&_td:not(:last-child)]:pr-3">
        <Table.Header>
          <Table.Row>
            {columns.map((column) => (
              <Table.HeaderCell key={column.id} className={classOf(column)}>
                {column.label && t(column.label)}
              </Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row
              key={rowId(row)}
              className={href && "cursor-pointer"}
              onClick={() => href && navigate(href(row))}
            >
              {columns.map((column, index) => (
                <Table.Cell key={column.id} className={classOf(column)}>
                  {index === 0 && href ? (
                    <RowLink to={href(row)}>{column.cell(row)}</RowLink>
                  ) : (
                    column.cell(row)
                  )}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}
