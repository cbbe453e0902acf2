import { clx } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"
import { useConnectionNames } from "../hooks/use-connection-names"
import type { TextKey } from "../hooks/use-text"
import type { Reason } from "../lib/types"
import { ReasonCell } from "./reason-cell"
import { StateBadge, type StateKind } from "./state-badge"
import { When } from "./when"

/** A column of a table. Described outside of components: a cell that is another function each time would be drawn anew. */
export type Column<Row> = {
  /** The field that the list is sorted by. */
  id: string
  /** None for a menu. */
  label?: TextKey
  cell: (row: Row) => ReactNode
  sort?: boolean
  size?: number
  right?: boolean
  /** A phone has room for what the row is, its state, and its amount. The row opens the others. */
  phone?: boolean
  /** Else what is cut off is shown on hover. */
  hasTooltip?: boolean
}

/** Stands only where there is more than one connection; rows that may be of a deleted one carry its name. */
export const CONNECTION = "connection_id"
export const connectionColumn = (
  label: TextKey,
): Column<{ connection_id: string; connection_name?: string | null }> => ({
  id: CONNECTION,
  label,
  cell: ({ connection_id, connection_name }) =>
    connection_name ?? <ConnectionName id={connection_id} />,
})

export const ConnectionName = ({ id }: { id: string }) => useConnectionNames().nameOf(id) || "-"

export const stateColumn = <Name extends string>(
  id: Name,
  label: TextKey,
  of: StateKind,
  size: number,
): Column<Record<Name, string>> => ({
  id,
  label,
  size,
  phone: true,
  cell: (row) => <StateBadge of={of} state={row[id]} />,
})

/** Why a row is not as it should be. */
export const reasonColumn = (label: TextKey): Column<{ reason: Reason | null }> => ({
  id: "reason",
  label,
  hasTooltip: true,
  cell: ({ reason }) => <ReasonCell reason={reason} />,
})

/** A moment that the list can be sorted by. */
export const whenColumn = <Name extends string>(
  id: Name,
  label: TextKey,
  size: number,
  shown: { exact?: boolean; never?: boolean } = {},
): Column<Record<Name, string | null>> => ({
  id,
  label,
  size,
  sort: true,
  hasTooltip: true,
  cell: (row) => <When at={row[id]} {...shown} />,
})

type RowLinkProps = { to: string; children: ReactNode; className?: string }

/** The name in a row that opens with a click: a link, so that the keyboard and a new tab open it too. */
export const RowLink = ({ to, children, className }: RowLinkProps) => (
  <Link
    to={to}
    // The row's own click would open it a second time.
    onClick={(event) => event.stopPropagation()}
    className={clx(
      "txt-compact-small-plus text-ui-fg-base focus-visible:shadow-borders-focus block truncate rounded outline-none",
      className,
    )}
  >
    {children}
  </Link>
)
