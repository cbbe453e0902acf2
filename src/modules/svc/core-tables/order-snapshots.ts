import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type {
  LineVersion,
  OrderSnapshot,
  SnapshotChange,
  SnapshotCredit,
  SnapshotLine,
  SnapshotShipping,
  SnapshotSwap,
  SnapshotTransaction,
} from "../orders/order-snapshot"

/** As JSON brings it: times are texts. */
type Told<Row> = {
  [Name in keyof Row]: Row[Name] extends Date
    ? string
    : Row[Name] extends Date | null
      ? string | null
      : Row[Name]
}
type ToldVersions<Part extends { versions: unknown[] }> = Omit<Part, "versions"> & {
  versions: Told<Part["versions"][number]>[]
}
type Row = {
  id: string
  display_id: number | null
  currency_code: string
  version: number
  created_at: Date
  canceled_at: Date | null
  lines: ToldVersions<SnapshotLine>[] | null
  shipping: ToldVersions<SnapshotShipping>[] | null
  credit_lines: Told<SnapshotCredit>[] | null
  transactions: SnapshotTransaction[] | null
  changes: Told<SnapshotChange>[] | null
  swaps: SnapshotSwap[] | null
}

/** The exact text of a big number; Medusa's plain column is a rounded copy of it. */
const exact = (table: string, name: string) =>
  `coalesce(${table}.raw_${name}->>'value', ${table}.${name}::text)`

/** Pieces of the one statement, by what they bring; `o` is the order. Each is served by Medusa's index on the order. */
const LINES = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', line.id, 'variantId', line.variant_id, 'productId', line.product_id,
    'isTaxInclusive', line.is_tax_inclusive, 'unitPrice', coalesce(${exact("line", "unit_price")}, '0'),
    'taxRates', coalesce((
      SELECT jsonb_agg(${exact("tax", "rate")} ORDER BY tax.id)
      FROM order_line_item_tax_line tax
      WHERE tax.item_id = line.id AND tax.deleted_at IS NULL), '[]'),
    'adjustments', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'version', adjustment.version, 'amount', ${exact("adjustment", "amount")},
        'isTaxInclusive', adjustment.is_tax_inclusive) ORDER BY adjustment.id)
      FROM order_line_item_adjustment adjustment
      WHERE adjustment.item_id = line.id AND adjustment.deleted_at IS NULL), '[]'),
    'versions', versions.rows) ORDER BY line.id)
  FROM (
    SELECT item.item_id, jsonb_agg(jsonb_build_object(
      'version', item.version, 'quantity', ${exact("item", "quantity")},
      'unitPrice', ${exact("item", "unit_price")},
      'returnReceived', ${exact("item", "return_received_quantity")},
      'returnDismissed', ${exact("item", "return_dismissed_quantity")},
      'createdAt', item.created_at) ORDER BY item.version) AS rows
    FROM order_item item
    WHERE item.order_id = o.id AND item.deleted_at IS NULL
    GROUP BY item.item_id) versions
  JOIN order_line_item line ON line.id = versions.item_id`

const SHIPPING = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', method.id, 'amount', ${exact("method", "amount")}, 'isTaxInclusive', method.is_tax_inclusive,
    'taxRates', coalesce((
      SELECT jsonb_agg(${exact("tax", "rate")} ORDER BY tax.id)
      FROM order_shipping_method_tax_line tax
      WHERE tax.shipping_method_id = method.id AND tax.deleted_at IS NULL), '[]'),
    'adjustments', coalesce((
      SELECT jsonb_agg(jsonb_build_object(
        'version', adjustment.version, 'amount', ${exact("adjustment", "amount")}) ORDER BY adjustment.id)
      FROM order_shipping_method_adjustment adjustment
      WHERE adjustment.shipping_method_id = method.id AND adjustment.deleted_at IS NULL), '[]'),
    'versions', versions.rows) ORDER BY method.id)
  FROM (
    SELECT shipping.shipping_method_id, jsonb_agg(jsonb_build_object(
      'version', shipping.version, 'createdAt', shipping.created_at) ORDER BY shipping.version) AS rows
    FROM order_shipping shipping
    WHERE shipping.order_id = o.id AND shipping.deleted_at IS NULL
    GROUP BY shipping.shipping_method_id) versions
  JOIN order_shipping_method method ON method.id = versions.shipping_method_id`

/** Anybody may write metadata: what is no number must not stop the statement, which reads many orders. */
const CREDIT_LINES = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', credit.version, 'amount', ${exact("credit", "amount")},
    'createdInVersion', CASE WHEN credit.metadata->>'created_in_version' ~ '^[0-9]{1,9}$'
      THEN (credit.metadata->>'created_in_version')::int END,
    'createdAt', credit.created_at) ORDER BY credit.version, credit.id)
  FROM order_credit_line credit
  WHERE credit.order_id = o.id AND credit.deleted_at IS NULL`

const TRANSACTIONS = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', money.version, 'amount', ${exact("money", "amount")},
    'reference', money.reference) ORDER BY money.id)
  FROM order_transaction money
  WHERE money.order_id = o.id AND money.deleted_at IS NULL`

/** The receipt of a return says only which return: what that belongs to stands in its own row. */
const CHANGES = `
  SELECT jsonb_agg(jsonb_build_object(
    'version', change.version, 'type', change.change_type, 'returnId', change.return_id,
    'exchangeId', coalesce(change.exchange_id, back.exchange_id),
    'claimId', coalesce(change.claim_id, back.claim_id),
    'confirmedAt', change.confirmed_at) ORDER BY change.version, change.created_at)
  FROM order_change change
  LEFT JOIN return back ON back.id = change.return_id
  WHERE change.order_id = o.id AND change.deleted_at IS NULL AND change.status = 'confirmed'`

const SWAPS = `
  SELECT jsonb_agg(jsonb_build_object(
    'id', coalesce(action.exchange_id, action.claim_id),
    'direction', CASE action.action WHEN 'ITEM_ADD' THEN 'out' ELSE 'in' END,
    'lineId', action.details->>'reference_id') ORDER BY action.ordering)
  FROM order_change_action action
  WHERE action.order_id = o.id AND action.deleted_at IS NULL AND action.applied
    AND coalesce(action.exchange_id, action.claim_id) IS NOT NULL
    AND action.action IN ('ITEM_ADD', 'RETURN_ITEM', 'WRITE_OFF_ITEM')
    AND action.details->>'reference_id' IS NOT NULL`

/** Reads orders as the ledger needs them: all their versions, in one statement and so at one moment. */
export class OrderSnapshots {
  constructor(private readonly knex: Knex) {}

  /** Orders that are gone are left out. */
  async read(orderIds: string[], on: Knex = this.knex): Promise<Map<string, OrderSnapshot>> {
    const { rows } = await on.raw<{ rows: Row[] }>(
      `SELECT o.id, o.display_id, o.currency_code, o.version, o.created_at, o.canceled_at,
         (${LINES}) AS lines, (${SHIPPING}) AS shipping, (${CREDIT_LINES}) AS credit_lines,
         (${TRANSACTIONS}) AS transactions, (${CHANGES}) AS changes, (${SWAPS}) AS swaps
       FROM "order" o
       WHERE o.id = ANY(?) AND o.deleted_at IS NULL`,
      [orderIds],
    )
    return new Map(rows.map((row) => [row.id, snapshotOf(row)]))
  }
}

const timeOf = (told: string | null): Date | null => (told === null ? null : new Date(told))
const timed = <Row extends { createdAt: string }>(
  row: Row,
): Omit<Row, "createdAt"> & { createdAt: Date } => ({
  ...row,
  createdAt: new Date(row.createdAt),
})

const snapshotOf = (row: Row): OrderSnapshot => ({
  id: row.id,
  displayId: row.display_id,
  currencyCode: row.currency_code,
  version: row.version,
  createdAt: row.created_at,
  canceledAt: row.canceled_at,
  lines: (row.lines ?? []).map((told) => ({
    ...told,
    versions: told.versions.map((version): LineVersion => timed(version)),
  })),
  shipping: (row.shipping ?? []).map((told) => ({
    ...told,
    versions: told.versions.map((version) => timed(version)),
  })),
  creditLines: (row.credit_lines ?? []).map((credit): SnapshotCredit => timed(credit)),
  transactions: row.transactions ?? [],
  changes: (row.changes ?? []).map(
    (change): SnapshotChange => ({ ...change, confirmedAt: timeOf(change.confirmedAt) }),
  ),
  swaps: row.swaps ?? [],
})
