import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import {
  createStep,
  createWorkflow,
  StepResponse,
  transform,
  WorkflowResponse,
  when,
} from "@medusajs/framework/workflows-sdk"
import {
  deleteLineItemsStep,
  refreshCartItemsWorkflow,
  releaseLockStep,
  updateLineItemsStep,
  updateTaxLinesWorkflow,
} from "@medusajs/medusa/core-flows"
import { isSimple } from "../../contract"
import {
  type CampaignLine,
  type Connection,
  type KnownEventProduct,
  refusalCode,
  SVC_MODULE,
  type SvcModuleService,
} from "../../modules/svc"
import { isCampaignOver } from "../../modules/svc/cart/campaign-state"
import { decideLine, type LineVerdict, withinLimits } from "../../modules/svc/cart/decide-line"
import type { LinePriceUpdate } from "../../modules/svc/cart/line-columns"
import type { LinePriceInput } from "../../modules/svc/cart/line-price-rows"
import { clampQuantity, type Limits, quantityLimits } from "../../modules/svc/cart/plan"
import type { PriceChangeReason } from "../../modules/svc/cart/price-change-rows"
import { decidePrice } from "../../modules/svc/cart/price-policy"
import { lockCartStep } from "./lock-cart"
import { lookUpPrices } from "./look-up-prices"
import { type Cart, cartBusy, readCart, sellingConnection } from "./read-cart"
import { readVariants, type StoreVariant } from "./read-variants"

type Proof = {
  lineId: string
  verdict: LineVerdict
  limits: Limits | null
  /** What the line costs without the show; null where it cannot be sold so. */
  catalog: StoreVariant["catalog"]
}
type Proofs = { regionId: string; proofs: Proof[] }

/** Proves again what has to be proven, before the lock: this calls the service. */
const proveLinesStep = createStep("svc-prove-lines", async (cartId: string, { container }) => {
  const svc = container.resolve(SVC_MODULE)
  const lines = await svc.campaignLines.ofCart(cartId)
  const products = await campaignProducts(svc, lines)
  const toProve = lines.filter((line) => {
    const limits = quantityLimits(products(line), { productId: line.product_id ?? "", stock: null })
    return line.due || clampQuantity(line.quantity, 0, limits).quantity !== line.quantity
  })
  if (toProve.length === 0) return new StepResponse<Proofs | null>(null)

  const cart = await readCart(container, cartId)
  const [verdicts, variants] = await proveLines(container, cart, toProve)
  return new StepResponse<Proofs | null>({
    regionId: cart.region_id,
    proofs: toProve.map((line, index): Proof => {
      const variant = variants.find((candidate) => candidate.variantId === line.variant_id)
      return {
        lineId: line.id,
        verdict: verdicts[index] ?? { kind: "refused", reason: "price_unavailable" },
        limits: variant ? quantityLimits(products(line), variant) : null,
        // A line that core deleted is restored only if its product could be bought now.
        catalog: variant && (variant.forSale || !line.dropped) ? variant.catalog : null,
      }
    }),
  })
})

/** The products of each line's campaign, as far as the service told us of them. */
async function campaignProducts(
  svc: SvcModuleService,
  lines: CampaignLine[],
): Promise<(line: CampaignLine) => KnownEventProduct[]> {
  const known = new Map<string, KnownEventProduct[]>()
  for (const { campaign_uid, connection_id } of lines) {
    if (campaign_uid && connection_id && !known.has(campaign_uid)) {
      known.set(campaign_uid, await svc.shows.productsOf(connection_id, [campaign_uid]))
    }
  }
  return (line) => (line.campaign_uid && known.get(line.campaign_uid)) || []
}

async function proveLines(
  container: MedusaContainer,
  cart: Cart,
  lines: CampaignLine[],
): Promise<[LineVerdict[], StoreVariant[]]> {
  const svc = container.resolve(SVC_MODULE)
  const [numbers, variants] = await Promise.all([
    svc.orderNumbers.ofCart(cart.id),
    readVariants(
      container,
      cart,
      lines.map((line) => ({ product_id: line.variant_id ?? "" })),
    ),
  ])
  const verdicts = await Promise.all(
    lines.map(async (line): Promise<LineVerdict> => {
      const refused = (reason: PriceChangeReason): LineVerdict => ({ kind: "refused", reason })
      if (!line.due) return { kind: "holds" }
      const variant = variants.find((candidate) => candidate.variantId === line.variant_id)
      if (!variant || (line.dropped && !variant.forSale)) return refused("not_for_sale")
      const campaignUid = line.campaign_uid ?? line.metadata_campaign_uid
      const number = numbers.find((row) => row.campaign_uid === campaignUid)
      const connectionId = line.connection_id ?? number?.connection_id
      const orderNo = line.order_no ?? number?.order_no
      if (!campaignUid || !connectionId || !orderNo) return refused("price_unavailable")

      const offer = await offerTo(container, cart, connectionId, campaignUid)
      if (typeof offer === "string") return refused(offer)
      const { connection, deadline } = offer
      const [lookup] = await lookUpPrices(container, connection.id, campaignUid, [
        {
          productId: variant.productId,
          ...(isSimple(variant.siblings) ? {} : { variantId: variant.variantId }),
        },
      ])
      if (!lookup?.ok) return refused("price_unavailable")
      const decided = decidePrice({
        price: lookup.price,
        cartCurrency: cart.currency_code,
        pricesIncludeVat: connection.prices_include_vat,
        catalog: variant.catalog,
        deadline,
        fetchedAt: lookup.fetchedAt,
      })
      if (!decided.ok) return refused(decided.code)
      const { price } = decided
      return {
        kind: "campaign",
        price,
        record: {
          line_item_id: line.id,
          cart_id: cart.id,
          connection_id: connection.id,
          campaign_uid: campaignUid,
          order_no: orderNo,
          product_id: variant.productId,
          variant_id: variant.variantId,
          region_id: cart.region_id,
          amount: price.amount,
          currency_code: cart.currency_code,
          is_tax_inclusive: price.isTaxInclusive,
          fetched_at: price.fetchedAt,
          expires_at: price.expiresAt,
        },
      }
    }),
  )
  return [verdicts, variants]
}

/**
 * The connection that sells a campaign to a cart as it is now, or why none does. After a change of region that may be
 * another connection of the same page (gap 46a).
 */
async function offerTo(
  container: MedusaContainer,
  cart: Cart,
  connectionId: string,
  campaignUid: string,
): Promise<{ connection: Connection; deadline: number | null } | PriceChangeReason> {
  const svc = container.resolve(SVC_MODULE)
  const [origin] = await svc.listSvcConnections({ id: connectionId })
  if (!origin) return "campaign_ended"
  try {
    const connection = await sellingConnection(container, origin.page_uid, cart)
    const campaign = await svc.shows.campaign(connection.id, campaignUid)
    if (isCampaignOver(campaign, Date.now())) return "campaign_ended"
    return { connection, deadline: campaign?.deadline?.getTime() ?? null }
  } catch (error) {
    if (refusalCode(error) === "channel_mismatch") return "channel_mismatch"
    throw error
  }
}

/** Changes to make; a line that is restored is updated as well. */
type Planned = {
  restore: string[]
  update: (LinePriceUpdate & { id: string })[]
  remove: string[]
  records: LinePriceInput[]
  forget: string[]
  /** Lines that are not what the shopper saw. */
  changed: number
}

/** Decides, under the lock, from the lines as they are now, and records what a shopper must be told. */
const planPricesStep = createStep(
  "svc-plan-prices",
  async ({ cartId, proven }: { cartId: string; proven: Proofs | null }, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const cart = await readCart(container, cartId)
    if (cart.region_id !== proven?.regionId) throw cartBusy()
    const lines = await svc.campaignLines.ofCart(cartId)
    const planned: Planned = {
      restore: [],
      update: [],
      remove: [],
      records: [],
      forget: [],
      changed: 0,
    }
    for (const { lineId, verdict, limits, catalog } of proven.proofs) {
      const line = lines.find((candidate) => candidate.id === lineId)
      // The shopper removed the line, or another process has priced it meanwhile.
      if (!line || (verdict.kind !== "holds" && !line.due)) continue
      const limited =
        verdict.kind === "refused" || !limits ? null : withinLimits(line, limits, cart.items)
      const { sold, reason } = decideLine(verdict, limited, catalog, {
        ...line,
        moved: line.dropped || line.currency_code !== cart.currency_code,
      })
      // Other code set this custom price and a shopper marked it as ours by metadata: it must not become cheaper by that.
      if (line.campaign_uid === null && (sold?.unit_price ?? 0) < line.unit_price) continue
      if (reason) {
        planned.changed += 1
        // Recorded before the line changes: a process that dies in between tells of a change too many, not one too few.
        await svc.priceChanges.record({
          cart_id: cartId,
          line_item_id: line.id,
          variant_id: line.variant_id,
          title: line.title,
          old_unit_price: line.unit_price,
          old_quantity: line.quantity,
          currency_code: line.currency_code,
          reason,
          removed: sold === null,
        })
      }
      if (verdict.kind === "campaign" && sold?.is_custom_price) planned.records.push(verdict.record)
      else if (!sold?.is_custom_price) planned.forget.push(line.id)
      if (sold === null) {
        if (!line.dropped) planned.remove.push(line.id)
      } else {
        if (line.dropped) planned.restore.push(line.id)
        planned.update.push({ id: line.id, ...sold })
      }
    }
    return new StepResponse(planned)
  },
)

/** Restores lines that core deleted. */
const restoreLinesStep = createStep(
  "svc-restore-lines",
  async (ids: string[], { container }) => {
    await container.resolve(Modules.CART).restoreLineItems(ids)
    return new StepResponse(null, ids)
  },
  async (ids, { container }) => {
    if (ids) await container.resolve(Modules.CART).softDeleteLineItems(ids)
  },
)

/** Records where the prices came from, once the lines are as planned. */
const recordProofsStep = createStep(
  "svc-record-proofs",
  async (planned: Planned, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    await svc.linePrices.record(planned.records)
    await svc.linePrices.forget(planned.forget)
    return new StepResponse(null)
  },
)

/**
 * Prices again the campaign lines of a cart that are due. A line whose hold ran out gets the show's present price, or the
 * catalog price where the show is over or gives none; a line that core deleted because the cart's region changed is
 * restored at the price of the new region; a quantity that the campaign does not sell is clamped (gap 45). Where nothing
 * is due this costs a short query or two. What changed is kept until a shopper was told
 * (`acknowledge-price-changes.ts`).
 *
 * A process that dies halfway leaves lines that are due again, and tells the shopper of a change too many.
 *
 * @returns how many lines are not what the shopper saw
 * @throws SvcRefusal `cart_completed`; `cart_busy` where another request changes the cart at the same time
 */
export const repriceCartWorkflow = createWorkflow("svc-reprice-cart", (cartId: string) => {
  const proven = proveLinesStep(cartId)
  // Medusa's `when` cannot be nested, so each part has its own condition.
  const planned = when("svc-to-plan", { proven }, ({ proven }) => proven !== null).then(() => {
    lockCartStep(cartId)
    return planPricesStep({ cartId, proven })
  })
  when("svc-to-restore", { planned }, ({ planned }) => !!planned?.restore.length).then(() => {
    restoreLinesStep(transform({ planned }, ({ planned }) => planned?.restore ?? []))
  })
  when("svc-to-update", { planned }, ({ planned }) => !!planned?.update.length).then(() => {
    updateLineItemsStep({
      id: cartId,
      items: transform({ planned }, ({ planned }) => planned?.update ?? []),
    })
  })
  when("svc-to-remove", { planned }, ({ planned }) => !!planned?.remove.length).then(() => {
    deleteLineItemsStep(transform({ planned }, ({ planned }) => planned?.remove ?? []))
  })
  when("svc-to-tax", { planned }, ({ planned }) => !!planned?.restore.length).then(() => {
    updateTaxLinesWorkflow.runAsStep({ input: { cart_id: cartId } })
  })
  when("svc-to-refresh", { planned }, ({ planned }) => !!planned?.changed).then(() => {
    refreshCartItemsWorkflow.runAsStep({ input: { cart_id: cartId } })
  })
  when("svc-to-record", { planned }, ({ planned }) => !!planned).then(() => {
    recordProofsStep(transform({ planned }, ({ planned }) => planned as Planned))
    releaseLockStep({ key: cartId })
  })
  return new WorkflowResponse(transform({ planned }, ({ planned }) => planned?.changed ?? 0))
})
