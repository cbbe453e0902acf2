/**
 * An order as Medusa's own tables have it, with every version of its lines: what the ledger is made from. Amounts are
 * decimal texts in major units, exactly as Medusa keeps them (`raw_` columns); times are Dates.
 */
export type OrderSnapshot = {
  id: string
  displayId: number | null
  currencyCode: string
  version: number
  placedAt: Date
  canceledAt: Date | null
  lines: SnapshotLine[]
  shipping: SnapshotShipping[]
  /** Medusa writes every credit line again at each version. */
  creditLines: SnapshotCredit[]
  /** Money that moved: captures are positive, refunds negative. */
  transactions: SnapshotTransaction[]
  /** Why there is a version; fulfilments and the like have no type. */
  changes: SnapshotChange[]
  /** Lines that an exchange or a claim took back or sent out. */
  swaps: SnapshotSwap[]
}

export type SnapshotLine = {
  id: string
  variantId: string | null
  productId: string | null
  title: string
  /** As canonical JSON. */
  metadata: string
  isTaxInclusive: boolean
  unitPrice: string
  /** Percent, one for each tax line. Medusa keeps them per line, not per version. */
  taxRates: string[]
  adjustments: { version: number; amount: string; isTaxInclusive: boolean }[]
  /** A line that an edit took out has no row at the later versions. */
  versions: LineVersion[]
}

export type LineVersion = {
  version: number
  quantity: string
  /** Null where the line's own price stands. */
  unitPrice: string | null
  returnReceived: string
  returnDismissed: string
  createdAt: Date
}

export type SnapshotShipping = {
  id: string
  amount: string
  isTaxInclusive: boolean
  taxRates: string[]
  adjustments: { version: number; amount: string }[]
  versions: { version: number; createdAt: Date }[]
}

export type SnapshotCredit = {
  version: number
  amount: string
  /** Null for those that the order was placed with, as gift cards are. */
  createdInVersion: number | null
  createdAt: Date
}

type SnapshotTransaction = {
  version: number
  amount: string
  /** `capture` or `refund`, else whatever other code writes. */
  reference: string | null
}

export type SnapshotChange = {
  version: number
  type: string | null
  /** Its own, or those of the return that it receives. */
  returnId: string | null
  exchangeId: string | null
  claimId: string | null
  confirmedAt: Date | null
}

export type SnapshotSwap = {
  /** Id of the exchange or claim. */
  id: string
  /** Whether the line comes back or is sent out in its place. */
  direction: "in" | "out"
  lineId: string
}
