import { createDataTableColumnHelper } from "@medusajs/ui"
import type { ConnectionNames } from "../hooks/use-connection-names"
import type { Text as Translate } from "../hooks/use-text"
import type { Reason } from "../lib/types"
import { ReasonCell } from "./reason-cell"
import { When } from "./when"

/** The connection of a row, where there is more than one; rows that may be of a deleted one carry its name. */
export const connectionColumn = <
  Row extends { connection_id: string; connection_name?: string | null },
>(
  t: Translate,
  { several, nameOf }: ConnectionNames,
) =>
  several
    ? [
        createDataTableColumnHelper<Row>().accessor((row) => row.connection_id, {
          id: "connection_id",
          header: t("products.columns.connection"),
          cell: ({ row: { original } }) =>
            (original.connection_name ?? nameOf(original.connection_id)) || "-",
        }),
      ]
    : []

/** Why a row is not as it should be. */
export const reasonColumn = <Row extends { reason: Reason | string | null }>(header: string) =>
  createDataTableColumnHelper<Row>().accessor((row) => row.reason, {
    id: "reason",
    header,
    truncateTooltip: false,
    cell: ({ row: { original } }) => <ReasonCell reason={original.reason} />,
  })

/** A moment that the list can be sorted by. */
export const whenColumn = <Name extends string, Row extends Record<Name, string | null>>(
  id: Name,
  header: string,
  size: number,
  exact = false,
) =>
  createDataTableColumnHelper<Row>().accessor((row: Row) => row[id], {
    id,
    header,
    enableSorting: true,
    size,
    truncateTooltip: false,
    cell: ({ row: { original } }) => <When at={original[id]} exact={exact} />,
  })
