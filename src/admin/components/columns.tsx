import { createDataTableColumnHelper } from "@medusajs/ui"
import { type ReactNode, useMemo } from "react"
import { Link, useLocation } from "react-router-dom"
import { useConnectionNames } from "../hooks/use-connection-names"
import { useIsPhone } from "../hooks/use-is-phone"
import { type TextKey, useText } from "../hooks/use-text"
import type { Reason } from "../lib/types"
import { ReasonCell } from "./reason-cell"
import { StateBadge, type StateKind } from "./state-badge"
import { When } from "./when"

/** A column of a table. Described outside of components: a cell that is another function each time would be drawn anew. */
export type Column<Row> = {
  /** The field that the list is sorted by. */
  id: string
  label: TextKey
  cell: (row: Row) => ReactNode
  sort?: boolean
  size?: number
  right?: boolean
  /** A phone has room for what the row is, its state, and its amount. The row opens the others. */
  phone?: boolean
  /** Else what is cut off is shown on hover. */
  hasTooltip?: boolean
}

/** What can be done with a row, in the menu at its end. */
export type RowAction<Row> = {
  icon: ReactNode
  label: TextKey
  act: (row: Row) => unknown
  /** Else it can be done with every row. */
  when?: (row: Row) => boolean
}

/** Stands only where there is more than one connection; rows that may be of a deleted one carry its name. */
const CONNECTION = "connection_id"
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

type RowLinkProps = { to: string; children: ReactNode }

/** The name in a row that opens with a click: a link, so that the keyboard and a new tab open it too. */
export const RowLink = ({ to, children }: RowLinkProps) => (
  <Link
    to={to}
    // The row's own click would open it a second time.
    onClick={(event) => event.stopPropagation()}
    className="txt-compact-small-plus text-ui-fg-base focus-visible:shadow-borders-focus block truncate rounded outline-none"
  >
    {children}
  </Link>
)

/** Medusa keeps each cell of a row on one line; a phone is too narrow for that. Amounts have spaces that do not break. */
export const ON_A_PHONE =
  "max-md:[&_td]:whitespace-normal max-md:[&_td_.truncate]:whitespace-normal max-md:[&_th]:whitespace-normal max-md:[&_th_button]:whitespace-normal max-md:[&_td:not(:last-child)]:pr-3 max-md:[&_th:not(:last-child)]:pr-3"

type Described<Row> = {
  columns: readonly Column<Row>[]
  actions?: readonly RowAction<Row>[]
  /** Where a row leads; the first column leads there, too. */
  linkOf?: (row: Row) => string
}

/** The described columns as Medusa's tables take them. */
export function useColumns<Row>({ columns, actions, linkOf }: Described<Row>) {
  const { t } = useText()
  const isPhone = useIsPhone()
  const { several } = useConnectionNames()
  const { search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row's link changes with the address alone, its actions never
  return useMemo(() => {
    const helper = createDataTableColumnHelper<Row>()
    const shown = columns
      .filter(({ id, phone }) => (several || id !== CONNECTION) && (phone || !isPhone))
      .map(({ id, label, cell, sort, size, right, hasTooltip }, index) =>
        helper.accessor(() => null, {
          id,
          header: t(label),
          enableSorting: sort ?? false,
          truncateTooltip: !hasTooltip,
          ...(size ? { size } : {}),
          ...(right ? { align: "right" as const } : {}),
          cell: ({ row: { original: row } }) =>
            index === 0 && linkOf ? <RowLink to={linkOf(row)}>{cell(row)}</RowLink> : cell(row),
        }),
      )
    const menu = helper.action({
      actions: ({ row: { original: row } }) => {
        const open = (actions ?? []).filter(({ when }) => when?.(row) ?? true)
        const items = open.map(({ icon, label, act }) => ({
          icon,
          label: t(label),
          onClick: () => act(row),
        }))
        // Medusa draws a menu for an empty list, too, and none where there is no list.
        return items.length > 0 ? items : (undefined as unknown as typeof items)
      },
    })
    return actions ? [...shown, menu] : shown
  }, [columns, several, isPhone, search, t])
}
