import { isDeepStrictEqual } from "node:util"
import { type CartAction, carryOut } from "./carry-out"
import { CAMPAIGN_KEY, type LineColumns } from "./line-columns"
import { isHeld } from "./payment-hold"
import type { PricePolicy, ProvenPrice } from "./price-policy"
import { type Answers, Inquiry, type Needs } from "./prices"
import { isCampaignLine, type Occasion, type PricingContext, repriceLine } from "./reprice-line"
import type { FailedProduct } from "./requests"
import type { CartSituation, Line, MetNumber } from "./situation"
import { changedColumns, type PricedBy, type WorkLine, workLine } from "./work-lines"

/** What a plan is made for: a re-pricing alone, or a cart action, which re-prices first. */
export type Intent =
  | { occasion: Exclude<Occasion, "action"> }
  | { occasion: "action"; action: CartAction }

export type CartPlan = ReturnType<typeof differences> & {
  /** Not empty: the plan was made without all prices, and must be made again with them. */
  needs: Needs
  /** To be recorded as the cart's latest; null where it is already, or nothing was sold under it. */
  number: MetNumber | null
  /** The action's order number: its own, or the one under which the cart met the campaign. */
  orderNo: string | null
  /** To be shown in the cart's metadata; null where it is already. */
  showOrderNo: string | null
  /** Lines as they were before; the amounts in major units of `currency`. */
  changes: ReturnType<typeof priceChanges>
  /** Lines that the payment which begins now holds, with their pieces. */
  hold: { lineId: string; quantity: number }[]
  failed: FailedProduct[]
  /** Products of the action that were put in, changed or taken out. */
  done: number
}

/** Whether a plan writes a line, so that core has to compute the cart anew. */
export const changesLines = ({ restore, remove, update, add }: CartPlan): boolean =>
  [restore, remove, update, add].some((part) => part.length > 0)

/** Whether a plan writes nothing at all. */
export const isIdle = (plan: CartPlan): boolean =>
  !changesLines(plan) &&
  [plan.proofs, plan.forget, plan.assign, plan.hold].every((part) => part.length === 0) &&
  plan.number === null

/**
 * Whether a plan may change what the cart costs. Not where a line gets another struck-through price or mark alone: a
 * payment that was begun is for the right total then.
 */
export const changesTotals = (plan: CartPlan, { lines }: Pick<CartSituation, "lines">): boolean =>
  plan.restore.length + plan.remove.length + plan.add.length > 0 ||
  plan.update.some(({ lineId, columns }) => {
    const line = lines.find(({ id }) => id === lineId)
    return !line || !costsTheSame(columns, line)
  })

const costsTheSame = (columns: LineColumns, line: Line): boolean =>
  columns.quantity === undefined &&
  columns.unit_price === line.unitPrice &&
  columns.is_tax_inclusive === line.isTaxInclusive &&
  (columns.is_discountable ?? line.isDiscountable) === line.isDiscountable &&
  // A line that goes back to the catalog's price, or leaves it, may cost what it did by chance.
  columns.is_custom_price === line.isCustomPrice

/**
 * The one plan of what becomes of a cart: lines that are due are priced again, then the action is carried out on the
 * result. Pure. It asks for the prices that it needs (`needs`); nothing is sold at a price that was not answered.
 *
 * Made under the cart's lock. Where it needs an answer, the caller gives the lock back, asks, and plans anew from the cart as
 * it is then.
 *
 * @throws SvcRefusal `page_not_connected`, `channel_mismatch`, `order_number_required` for an action; `too_many_requests` before
 * an order or a payment
 */
export function planCart(
  situation: CartSituation,
  intent: Intent,
  policy: PricePolicy,
  answers: Answers,
): CartPlan {
  const inquiry = new Inquiry(answers)
  const context: PricingContext = { situation, policy, inquiry, occasion: intent.occasion }
  const clears = intent.occasion === "action" && intent.action.clear
  const lines = situation.lines.map(workLine)

  // A cart that is emptied first has no line that could be priced again.
  if (!clears) {
    for (const [index, line] of lines.entries()) repriceLine(line, lines.slice(0, index), context)
  }
  const outcome = intent.occasion === "action" ? carryOut(intent.action, lines, context) : null
  const sold = outcome?.soldUnder ?? null
  return {
    needs: inquiry.needs,
    ...differences(outcome?.lines ?? lines),
    // Written only where it changed: a crowd that taps again and again must not write for nothing.
    number: isDeepStrictEqual(situation.numbers[0], sold) ? null : sold,
    orderNo: outcome?.orderNo ?? null,
    showOrderNo: sold && sold.orderNo !== situation.cart.shownOrderNo ? sold.orderNo : null,
    failed: outcome?.failed ?? [],
    done: outcome?.done ?? 0,
    changes: priceChanges(lines, situation),
    hold: intent.occasion === "payment" ? held(lines, context) : [],
  }
}

/** What is written down of a line that a show prices. Amounts in major units. */
type Proven = {
  lineId: string | null
  variantId: string
  productId: string
  price: ProvenPrice
  by: PricedBy
}

/** The statements that turn the lines as they were read into the lines as planned. */
function differences(lines: WorkLine[]) {
  const plan = {
    restore: [] as string[],
    remove: [] as string[],
    update: [] as { lineId: string; columns: LineColumns }[],
    /** For core's own workflow that adds to a cart; each merges with the line whose price and metadata are equal. */
    add: [] as ReturnType<typeof addedItem>[],
    /** Records of proven prices; without a `lineId` of the line that is created for the variant. */
    proofs: [] as Proven[],
    /** Lines whose record is void. */
    forget: [] as string[],
    /** Lines that count for the action's order number from now on. */
    assign: [] as string[],
  }
  for (const line of lines) {
    const { original, variantId, productId } = line
    if (!original) {
      if (!line.removed && variantId) plan.add.push(addedItem(line, variantId, line.quantity))
    } else if (line.removed) {
      if (!original.dropped) plan.remove.push(original.id)
      // A dropped line of which no price is known yet stays to be restored.
      if (original.proof && (!original.dropped || line.reason || line.campaignUid === null)) {
        plan.forget.push(original.id)
      }
      continue
    } else {
      if (original.dropped) plan.restore.push(original.id)
      const columns = changedColumns(line)
      if (columns) plan.update.push({ lineId: original.id, columns })
      if (line.quantity > original.quantity && variantId) {
        plan.add.push(addedItem(line, variantId, line.quantity - original.quantity))
      }
      if (original.proof && line.campaignUid === null) plan.forget.push(original.id)
    }
    const { by, proven } = line
    if (by && proven && variantId) {
      const lineId = original?.id ?? null
      plan.proofs.push({ lineId, variantId, productId: productId ?? "", price: proven, by })
    } else if (original && by && by.orderNo !== original.proof?.orderNo) {
      plan.assign.push(original.id)
    }
  }
  return plan
}

/** More pieces of a line, or a new one, for core's own workflow. */
function addedItem(line: WorkLine, variantId: string, quantity: number) {
  const { campaignUid, unitPrice, compareAt, original } = line
  const metadata = { ...original?.metadata }
  // A custom price that is not ours keeps its line's metadata: it would not merge otherwise.
  if (campaignUid === null) delete metadata[CAMPAIGN_KEY]
  else if (campaignUid !== "") metadata[CAMPAIGN_KEY] = campaignUid
  return {
    variantId,
    productId: line.productId ?? "",
    quantity,
    metadata,
    unitPrice,
    // What core does not know of such a price; null: it is the catalog's.
    custom:
      campaignUid === null
        ? null
        : {
            is_tax_inclusive: line.isTaxInclusive,
            ...(compareAt === null ? {} : { compare_at_unit_price: compareAt }),
            // As the product says, unless no promotion applies to it.
            ...(line.isDiscountable ? {} : { is_discountable: false }),
          },
  }
}

/** What the shopper must be told of before the order. */
function priceChanges(lines: WorkLine[], { cart }: CartSituation) {
  return lines.flatMap(({ original, reason, removed }) =>
    original && reason
      ? [
          {
            lineId: original.id,
            variantId: original.variantId,
            title: original.title,
            oldUnitPrice: original.unitPrice,
            oldIsTaxInclusive: original.isTaxInclusive,
            oldQuantity: original.quantity,
            currency: original.proof?.currency ?? cart.currency,
            reason,
            removed,
          },
        ]
      : [],
  )
}

/**
 * Lines that the payment which begins now holds. A line that is held already and could not be proven anew keeps the end
 * that it has: otherwise a price could be kept for ever by beginning payment after payment.
 */
function held(
  lines: WorkLine[],
  { situation, policy }: PricingContext,
): { lineId: string; quantity: number }[] {
  if (policy.paymentHoldMs === 0) return []
  return lines.flatMap((line) => {
    const { original, proven } = line
    if (!original || line.removed || !line.campaignUid || !isCampaignLine(original)) return []
    const kept = isHeld(original, original.proof, situation.cart, situation.now)
    if (kept && !proven) return []
    return [{ lineId: original.id, quantity: line.quantity }]
  })
}
