/**
 * An order as Medusa keeps it, in memory: rows per version, changed by Medusa's own `applyChangesToOrder` and added up by
 * its own `decorateCartTotals`. Only what lies between, the writing of rows, is ours, after `applyOrderChanges_` of
 * Medusa's order module and the workflows of core-flows that lead to it.
 */
import type { BigNumberInput } from "@medusajs/framework/types"
import {
  ChangeActionType,
  decorateCartTotals,
  MathBN,
  MedusaError,
} from "@medusajs/framework/utils"
import { applyChangesToOrder } from "@medusajs/order/dist/utils"
import type { OrderSnapshot, SnapshotChange, SnapshotSwap } from "../order-snapshot"

type Line = { id: string; variantId: string; productId: string; unitPrice: string; rate: string }
type ItemRow = {
  version: number
  item_id: string
  quantity: string
  unit_price: string | null
  fulfilled_quantity: string
  return_requested_quantity: string
  return_received_quantity: string
  return_dismissed_quantity: string
  written_off_quantity: string
}
type Adjustment = { version: number; item_id: string; amount: string }
type Credit = {
  id: string
  version: number
  amount: string
  reference: string | null
  reference_id: string | null
  metadata: { created_in_version?: number }
}
type Money = { version: number; amount: string; reference: string }
type Action = {
  action: ChangeActionType
  details?: Record<string, unknown>
  reference?: string
  reference_id?: string
  amount?: BigNumberInput
  exchange_id?: string
  claim_id?: string
  return_id?: string
}
type Change = Omit<SnapshotChange, "version" | "confirmedAt">

export type Piece = { line: string; quantity: number }
export type NewLine = { variant: number; quantity: number; price: string; discount: string }
export type NewOrder = {
  currency: string
  isTaxInclusive: boolean
  rate: string
  lines: NewLine[]
  /** Null for an order that is not delivered: a voucher by e-mail. */
  shipping: string | null
  giftCard: string
}

/** Totals as Medusa gives them to whoever asks for the order. */
export type Totals = {
  total: BigNumberInput
  shipping_total: BigNumberInput
  items: {
    id: string
    total: BigNumberInput
    tax_total: BigNumberInput
    discount_total: BigNumberInput
    quantity: BigNumberInput
    detail: ItemRow
  }[]
}

const text = (amount: unknown): string => MathBN.convert((amount ?? 0) as BigNumberInput).toFixed()

export class MedusaOrder {
  version = 1
  canceledAt: Date | null = null
  readonly lines: Line[] = []
  readonly #items: ItemRow[] = []
  readonly #adjustments: Adjustment[] = []
  readonly #credits: Credit[] = []
  readonly #money: Money[] = []
  readonly #changes: (SnapshotChange & { version: number })[] = []
  readonly #swaps: SnapshotSwap[] = []
  #ids = 0

  constructor(private readonly placed: NewOrder) {
    for (const line of placed.lines) {
      const { id } = this.#addLine(line.variant, line.price)
      this.#items.push({
        version: 1,
        item_id: id,
        quantity: text(line.quantity),
        unit_price: null,
        fulfilled_quantity: "0",
        return_requested_quantity: "0",
        return_received_quantity: "0",
        return_dismissed_quantity: "0",
        written_off_quantity: "0",
      })
      if (line.discount !== "0") {
        this.#adjustments.push({ version: 1, item_id: id, amount: line.discount })
      }
    }
    if (placed.giftCard !== "0") {
      this.#credits.push({
        id: this.#id("credit"),
        version: 1,
        amount: placed.giftCard,
        reference: "gift-card",
        reference_id: "gift",
        metadata: {},
      })
    }
    this.#money.push({ version: 1, amount: text(this.totals().total), reference: "capture" })
  }

  totals(): Totals {
    const totals: unknown = decorateCartTotals(this.#order())
    return totals as Totals
  }

  /** Sets a line's quantity and, where given, its price and discount. */
  async edit(line: string, quantity: number, price: string | null, discount: string | null) {
    await this.#apply({ type: "edit" }, [
      {
        action: ChangeActionType.ITEM_UPDATE,
        details: { reference_id: line, quantity, ...(price === null ? {} : { unit_price: price }) },
      },
      ...(discount === null
        ? []
        : [
            {
              action: ChangeActionType.ITEM_ADJUSTMENTS_REPLACE,
              details: { reference_id: line, adjustments: [{ amount: discount }] },
            },
          ]),
    ])
  }

  async add({ variant, quantity, price }: NewLine) {
    await this.#apply({ type: "edit" }, [this.#addition({ variant, quantity, price })])
  }

  async fulfil({ line, quantity }: Piece) {
    await this.#apply({ type: null }, [
      { action: ChangeActionType.FULFILL_ITEM, details: { reference_id: line, quantity } },
    ])
  }

  async sendBack(piece: Piece, damaged: boolean) {
    const returnId = this.#id("return")
    await this.#apply({ type: "return_request", returnId }, [comesBack(piece)])
    await this.#receive(returnId, {}, piece, damaged)
  }

  async exchange(piece: Piece, out: Omit<NewLine, "discount">) {
    const [exchangeId, returnId] = [this.#id("exchange"), this.#id("return")]
    const addition = this.#addition(out)
    await this.#apply({ type: "exchange", exchangeId }, [comesBack(piece), addition])
    this.#swaps.push({ id: exchangeId, direction: "in", lineId: piece.line })
    this.#swaps.push({ id: exchangeId, direction: "out", lineId: lineOf(addition) })
    await this.#receive(returnId, { exchangeId }, piece, false)
  }

  async claim(piece: Piece, out: Omit<NewLine, "discount"> | null) {
    const [claimId, returnId] = [this.#id("claim"), this.#id("return")]
    const addition = out && this.#addition(out)
    await this.#apply({ type: "claim", claimId }, [
      {
        action: ChangeActionType.WRITE_OFF_ITEM,
        details: { reference_id: piece.line, quantity: piece.quantity },
      },
      comesBack(piece),
      ...(addition ? [addition] : []),
    ])
    this.#swaps.push({ id: claimId, direction: "in", lineId: piece.line })
    if (addition) this.#swaps.push({ id: claimId, direction: "out", lineId: lineOf(addition) })
    await this.#receive(returnId, { claimId }, piece, false)
  }

  /**
   * As `refundPaymentWorkflow`: several of one payment that begin at once book their money before the first of their credit
   * lines, and the first to book finds all of them at the payment, and books each at its own amount.
   */
  async refund(amounts: string[], reason: { label: string; code: string } | null = null) {
    const owed = MathBN.sub(this.#paid(), this.totals().total)
    for (const _ of amounts) {
      this.#money.push({ version: this.version, amount: `-${amounts[0]}`, reference: "refund" })
    }
    for (const amount of amounts) {
      const credit = MathBN.gt(owed, 0) ? MathBN.sub(amount, owed) : MathBN.convert(amount)
      if (MathBN.gt(credit, 0)) {
        await this.#credit(credit.toFixed(), reason?.label, reason?.code)
      }
    }
  }

  /** A balance that nobody asks for; as `createOrderCreditLinesWorkflow`, which refuses to waive more than there is. */
  async waive(amount: string) {
    if (MathBN.gt(amount, MathBN.sub(this.totals().total, this.#paid()))) {
      throw new MedusaError(MedusaError.Types.INVALID_DATA, "There is no balance to waive.")
    }
    await this.#credit(amount, "waived", "waived")
  }

  /** As `cancelOrderWorkflow`: what was captured is paid back, and a credit line says so. */
  async cancel() {
    const rest = MathBN.max(this.#paid(), 0).toFixed()
    this.#money.push({ version: this.version, amount: `-${rest}`, reference: "refund" })
    await this.#credit(rest, "payment_collection", "pay")
    this.canceledAt = new Date(1_800_000_000_000)
  }

  snapshot(): OrderSnapshot {
    const createdAt = new Date(1_700_000_000_000)
    const { currency, isTaxInclusive, rate, shipping } = this.placed
    const versions = Array.from({ length: this.version }, (_, index) => index + 1)
    return {
      id: "order",
      displayId: 1,
      currencyCode: currency,
      version: this.version,
      placedAt: createdAt,
      canceledAt: this.canceledAt,
      lines: this.lines.map((line) => ({
        id: line.id,
        variantId: line.variantId,
        productId: line.productId,
        title: line.variantId,
        metadata: "{}",
        isTaxInclusive,
        unitPrice: line.unitPrice,
        taxRates: [line.rate],
        adjustments: this.#adjustments
          .filter((row) => row.item_id === line.id)
          .map((row) => ({ version: row.version, amount: row.amount, isTaxInclusive })),
        versions: this.#items
          .filter((row) => row.item_id === line.id)
          .map((row) => ({
            version: row.version,
            quantity: row.quantity,
            unitPrice: row.unit_price,
            returnReceived: row.return_received_quantity,
            returnDismissed: row.return_dismissed_quantity,
            createdAt,
          })),
      })),
      shipping: (shipping === null ? [] : [shipping]).map((amount) => ({
        id: "ship",
        amount,
        isTaxInclusive,
        taxRates: [rate],
        adjustments: [],
        versions: versions.map((version) => ({ version, createdAt })),
      })),
      creditLines: this.#credits.map((row) => ({
        version: row.version,
        amount: row.amount,
        createdInVersion: row.metadata.created_in_version ?? null,
        createdAt,
      })),
      transactions: this.#money.map((row) => ({ ...row })),
      changes: this.#changes.map((row) => ({ ...row })),
      swaps: this.#swaps.map((row) => ({ ...row })),
    }
  }

  /** The rows of one version, as Medusa's order module reads them. */
  #order() {
    const { currency, isTaxInclusive, rate, shipping } = this.placed
    const ofVersion = <Row extends { version: number }>(rows: Row[]) =>
      rows.filter((row) => row.version === this.version)
    return {
      id: "order",
      version: this.version,
      currency_code: currency,
      summary: {},
      transactions: this.#money.map((row) => ({ ...row })),
      credit_lines: ofVersion(this.#credits).map((row) => ({ ...row })),
      shipping_methods: (shipping === null ? [] : [shipping]).map((amount) => ({
        id: "ship",
        shipping_option_id: "option",
        amount,
        is_tax_inclusive: isTaxInclusive,
        tax_lines: [{ rate: Number(rate) }],
        adjustments: [],
        detail: { shipping_method_id: "ship", version: this.version },
      })),
      items: ofVersion(this.#items).map((row) => {
        const line = this.lines.find(({ id }) => id === row.item_id)
        return {
          id: row.item_id,
          unit_price: row.unit_price ?? line?.unitPrice ?? "0",
          quantity: row.quantity,
          is_tax_inclusive: isTaxInclusive,
          tax_lines: [{ rate: Number(line?.rate) }],
          adjustments: ofVersion(this.#adjustments)
            .filter((adjustment) => adjustment.item_id === row.item_id)
            .map(({ amount }) => ({ amount, is_tax_inclusive: isTaxInclusive })),
          detail: { ...row },
        }
      }),
    }
  }

  async #receive(returnId: string, of: Partial<Change>, piece: Piece, damaged: boolean) {
    await this.#apply({ type: "return_receive", returnId, ...of }, [
      {
        action: damaged
          ? ChangeActionType.RECEIVE_DAMAGED_RETURN_ITEM
          : ChangeActionType.RECEIVE_RETURN_ITEM,
        details: { reference_id: piece.line, quantity: piece.quantity },
      },
    ])
  }

  async #credit(amount: string, reference?: string, referenceId?: string) {
    await this.#apply({ type: "credit_line" }, [
      { action: ChangeActionType.CREDIT_LINE_ADD, amount, reference, reference_id: referenceId },
    ])
  }

  async #apply(change: Partial<Change>, actions: Action[]): Promise<void> {
    const version = this.version + 1
    const { itemsToUpsert, creditLinesToUpsert, lineItemAdjustmentsToCreate } =
      await applyChangesToOrder(
        [decorateCartTotals(this.#order())],
        { order: actions.map((action) => ({ ...action, version, order_id: "order" })) },
        { includeTaxLinesAndAdjustmentsToPreview: async () => undefined },
      )
    for (const row of itemsToUpsert) {
      this.#items.push({
        version,
        item_id: row.item_id,
        quantity: text(row.quantity),
        unit_price: text(row.unit_price),
        fulfilled_quantity: text(row.fulfilled_quantity),
        return_requested_quantity: text(row.return_requested_quantity),
        return_received_quantity: text(row.return_received_quantity),
        return_dismissed_quantity: text(row.return_dismissed_quantity),
        written_off_quantity: text(row.written_off_quantity),
      })
    }
    for (const row of lineItemAdjustmentsToCreate) {
      this.#adjustments.push({ version, item_id: String(row.item_id), amount: text(row.amount) })
    }
    for (const row of creditLinesToUpsert) {
      this.#credits.push({
        id: this.#id("credit"),
        version,
        amount: text(row.amount),
        reference: row.reference ?? null,
        reference_id: row.reference_id ?? null,
        metadata: { ...row.metadata },
      })
    }
    this.#changes.push({
      type: null,
      returnId: null,
      exchangeId: null,
      claimId: null,
      ...change,
      version,
      confirmedAt: new Date(1_700_000_000_000 + version * 60_000),
    })
    this.version = version
  }

  #addition({ variant, quantity, price }: Omit<NewLine, "discount">): Action {
    const { id } = this.#addLine(variant, price)
    return {
      action: ChangeActionType.ITEM_ADD,
      details: { reference_id: id, quantity, unit_price: price },
    }
  }

  #addLine(variant: number, unitPrice: string): Line {
    const line = {
      id: this.#id("line"),
      variantId: `variant-${variant}`,
      productId: `product-${variant % 2}`,
      unitPrice,
      rate: this.placed.rate,
    }
    this.lines.push(line)
    return line
  }

  #paid() {
    return MathBN.sum(0, ...this.#money.map(({ amount }) => amount))
  }

  #id(what: string): string {
    this.#ids += 1
    return `${what}-${this.#ids}`
  }
}

const comesBack = ({ line, quantity }: Piece): Action => ({
  action: ChangeActionType.RETURN_ITEM,
  details: { reference_id: line, quantity },
})

const lineOf = (action: Action): string => String(action.details?.reference_id)

/** What Medusa refuses (more back than was sent) did not happen. */
export async function unlessRefused(change: () => Promise<void>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof MedusaError) return false
    throw error
  }
}
