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
  acquireLockStep,
  deleteLineItemsStep,
  refreshCartItemsWorkflow,
  releaseLockStep,
  updateLineItemsStep,
  updateTaxLinesWorkflow,
} from "@medusajs/medusa/core-flows"
import { SVC_MODULE } from "../../modules/svc"
import { type Limits, limit, limitsOf } from "../../modules/svc/cart-plan"
import { decidePrice, type ProvenPrice } from "../../modules/svc/price-policy"
import { refusalCode } from "../../modules/svc/refusal"
import type SvcModuleService from "../../modules/svc/service"
import type { Connection } from "../../modules/svc/service"
import {
  CartRows,
  type LinePriceInput,
  type PriceChangeReason,
  type ShowLine,
} from "../../modules/svc/sql/cart"
import {
  type KnownEvent,
  type KnownEventProduct,
  ProjectionRows,
} from "../../modules/svc/sql/projection"
import { type Basket, type BasketItem, basketBusy, marketOf, readBasket } from "./basket"
import { readVariants, type StoreVariant } from "./catalog-variants"
import { campaignPriced, catalogPriced, type LinePriceUpdate } from "./line-price"
import { lookupPrices } from "./price-lookup"

/** What a line may be sold at: the price it has, the campaign's present one, or none of the campaign's. */
type Verdict =
  | { kind: "holds" }
  | { kind: "campaign"; price: ProvenPrice; record: LinePriceInput }
  | { kind: "refused"; reason: PriceChangeReason }
type Proof = {
  lineId: string
  verdict: Verdict
  limits: Limits | null
  /** What the line costs without the show; null where it cannot be sold so. */
  catalog: StoreVariant["catalog"]
}
type Proofs = { regionId: string; proofs: Proof[] }

/** Proves again what has to be proven, before the lock: this calls the service. */
const proveLinesStep = createStep("svc-prove-lines", async (cartId: string, { container }) => {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const projection = new ProjectionRows(svc.database())
  const lines = await new CartRows(svc.database()).showLines(cartId)
  const products = await campaignProducts(projection, lines)
  const toProve = lines.filter((line) => {
    const limits = limitsOf(products(line), { productId: line.product_id ?? "", stock: null })
    return line.due || limit(line.quantity, 0, limits).quantity !== line.quantity
  })
  if (toProve.length === 0) return new StepResponse<Proofs | null>(null)

  const basket = await readBasket(container, cartId)
  const [verdicts, variants] = await proveLines(container, basket, toProve)
  return new StepResponse<Proofs | null>({
    regionId: basket.region_id,
    proofs: toProve.map((line, index): Proof => {
      const variant = variants.find((candidate) => candidate.variantId === line.variant_id)
      return {
        lineId: line.id,
        verdict: verdicts[index] ?? { kind: "refused", reason: "price_unavailable" },
        limits: variant ? limitsOf(products(line), variant) : null,
        // What core took out comes back only if it could be bought anew.
        catalog: variant && (variant.forSale || !line.dropped) ? variant.catalog : null,
      }
    }),
  })
})

/** The products of each line's campaign, as far as the service told of them. */
async function campaignProducts(
  projection: ProjectionRows,
  lines: ShowLine[],
): Promise<(line: ShowLine) => KnownEventProduct[]> {
  const known = new Map<string, KnownEventProduct[]>()
  for (const { campaign_uid, connection_id } of lines) {
    if (campaign_uid && connection_id && !known.has(campaign_uid)) {
      known.set(campaign_uid, await projection.productsOf(connection_id, [campaign_uid]))
    }
  }
  return (line) => (line.campaign_uid && known.get(line.campaign_uid)) || []
}

async function proveLines(
  container: MedusaContainer,
  basket: Basket,
  lines: ShowLine[],
): Promise<[Verdict[], StoreVariant[]]> {
  const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
  const [numbers, variants] = await Promise.all([
    rows.orderNumbers(basket.id),
    readVariants(
      container,
      basket,
      lines.map((line) => ({ product_id: line.variant_id ?? "" })),
    ),
  ])
  const verdicts = await Promise.all(
    lines.map(async (line): Promise<Verdict> => {
      const refused = (reason: PriceChangeReason): Verdict => ({ kind: "refused", reason })
      if (!line.due) return { kind: "holds" }
      const variant = variants.find((candidate) => candidate.variantId === line.variant_id)
      if (!variant || (line.dropped && !variant.forSale)) return refused("not_for_sale")
      const campaignUid = line.campaign_uid ?? line.claimed_campaign_uid
      const number = numbers.find((row) => row.campaign_uid === campaignUid)
      const connectionId = line.connection_id ?? number?.connection_id
      const orderNo = line.order_no ?? number?.order_no
      if (!campaignUid || !connectionId || !orderNo) return refused("price_unavailable")

      const offer = await offerTo(container, basket, connectionId, campaignUid)
      if (typeof offer === "string") return refused(offer)
      const { connection, deadline } = offer
      const [lookup] = await lookupPrices(container, connection.id, campaignUid, [
        {
          productId: variant.productId,
          ...(variant.siblings > 1 ? { variantId: variant.variantId } : {}),
        },
      ])
      if (!lookup?.ok) return refused("price_unavailable")
      const decided = decidePrice({
        price: lookup.price,
        cartCurrency: basket.currency_code,
        connectionCurrency: basket.currency_code,
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
          cart_id: basket.id,
          connection_id: connection.id,
          campaign_uid: campaignUid,
          order_no: orderNo,
          product_id: variant.productId,
          variant_id: variant.variantId,
          region_id: basket.region_id,
          amount: price.amount,
          catalog_amount: price.catalogAmount,
          currency_code: basket.currency_code,
          is_tax_inclusive: price.isTaxInclusive,
          source: "lookup",
          fetched_at: price.fetchedAt,
          expires_at: price.expiresAt,
        },
      }
    }),
  )
  return [verdicts, variants]
}

/**
 * The connection that sells a campaign to a basket as it is now, or why none does. After a change of region that may be
 * another one of the same page (gap 46a).
 */
async function offerTo(
  container: MedusaContainer,
  basket: Basket,
  connectionId: string,
  campaignUid: string,
): Promise<{ connection: Connection; deadline: number | null } | PriceChangeReason> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const [origin] = await svc.listSvcConnections({ id: connectionId })
  if (!origin) return "campaign_ended"
  try {
    const connection = await marketOf(container, origin.page_uid, basket)
    const projection = new ProjectionRows(svc.database())
    const campaign = await projection.campaign(connection.id, campaignUid)
    if (isOver(campaign, Date.now())) return "campaign_ended"
    return { connection, deadline: campaign?.deadline?.getTime() ?? null }
  } catch (error) {
    if (refusalCode(error) === "channel_mismatch") return "channel_mismatch"
    throw error
  }
}

/** The same rule as `CAMPAIGN_OVER` in `sql/cart.ts`, for the event that stands for the campaign. */
const isOver = (campaign: KnownEvent | null, now: number): boolean =>
  campaign !== null &&
  (campaign.deleted_at !== null ||
    campaign.status === "cancelled" ||
    (campaign.deadline !== null && campaign.deadline.getTime() <= now))

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

/** Decides, under the lock, from the lines as they are now, and writes down what a shopper must be told. */
const planPricesStep = createStep(
  "svc-plan-prices",
  async ({ cartId, proven }: { cartId: string; proven: Proofs | null }, { container }) => {
    const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
    const basket = await readBasket(container, cartId)
    if (basket.region_id !== proven?.regionId) throw basketBusy()
    const lines = await rows.showLines(cartId)
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
      // Removed, or set right by another process meanwhile.
      if (!line || (verdict.kind !== "holds" && !line.due)) continue
      const limited =
        verdict.kind === "refused" || !limits ? null : withinLimits(line, limits, basket.items)
      const { sold, reason } = decideLine(verdict, limited, catalog, {
        ...line,
        moved: line.dropped || line.currency_code !== basket.currency_code,
      })
      // A custom price of somebody else's, which a shopper marked as ours, is not made cheaper.
      if (line.campaign_uid === null && (sold?.unit_price ?? 0) < line.unit_price) continue
      if (reason) {
        planned.changed += 1
        // Written down before the line changes: a process that dies in between has told too much, not too little.
        await rows.recordPriceChange({
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

/** What the campaign sells of a line (gap 45). Core looks after the stock, but for pieces that would be added here. */
function withinLimits(line: ShowLine, limits: Limits, items: BasketItem[]) {
  const adds = line.quantity < (limits.minQuantity ?? 0)
  const elsewhere = items
    .filter((item) => item.variant_id === line.variant_id && item.id !== line.id)
    .reduce((sum, item) => sum + item.quantity, 0)
  return limit(line.quantity, elsewhere, adds ? limits : { ...limits, stock: null })
}

/**
 * What becomes of a line: the columns to write (null: it is taken out), and why, where the shopper has to be told.
 * Pure. What the campaign refuses goes back to the catalog price.
 */
function decideLine(
  verdict: Verdict,
  limited: ReturnType<typeof limit> | null,
  catalog: StoreVariant["catalog"],
  line: { quantity: number; unit_price: number; moved: boolean },
): { sold: (LinePriceUpdate & { unit_price: number }) | null; reason: PriceChangeReason | null } {
  const refusal =
    verdict.kind === "refused"
      ? verdict.reason
      : limited?.quantity === 0
        ? (limited.reason?.code ?? "not_available")
        : null
  if (refusal) {
    if (!catalog) return { sold: null, reason: refusal }
    const same = catalog.amount === line.unit_price && !line.moved
    return { sold: catalogPriced(catalog), reason: same ? null : refusal }
  }
  const quantity = limited?.quantity ?? line.quantity
  const priced =
    verdict.kind === "campaign"
      ? // Tax basis and struck-through price may have changed at the same amount.
        campaignPriced(verdict.price, verdict.record.campaign_uid)
      : { unit_price: line.unit_price, is_custom_price: true }
  return {
    sold: { ...priced, ...(quantity === line.quantity ? {} : { quantity }) },
    reason: line.moved
      ? "region_changed"
      : priced.unit_price !== line.unit_price
        ? "price_changed"
        : (limited?.reason?.code ?? null),
  }
}

/** Puts lines back that core took out. */
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

/** Writes down where the prices came from, once the lines are as planned. */
const recordProofsStep = createStep(
  "svc-record-proofs",
  async (planned: Planned, { container }) => {
    const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
    await rows.recordLinePrices(planned.records)
    await rows.forgetLinePrices(planned.forget)
    return new StepResponse(null)
  },
)

/**
 * Makes the lines that campaigns price right again: a line whose time is up gets the show's present price, or the
 * catalog price where the show is over or gives none; one that core took out because the basket's region changed comes
 * back at the price of the new region; a quantity that the campaign does not sell is clamped (gap 45). Where nothing is
 * due this costs a short query or two. What changed is kept until a shopper was told (`tell-price-changes.ts`).
 *
 * A process that dies on the way leaves lines that are due again, and a word too many.
 *
 * @returns how many lines are not what the shopper saw
 * @throws SvcRefusal `cart_completed`; `cart_busy` where the region changes at the same time
 */
export const repriceCartWorkflow = createWorkflow("svc-reprice-cart", (cartId: string) => {
  const proven = proveLinesStep(cartId)
  // Conditions do not nest in a workflow, so each part asks for itself.
  const planned = when("svc-to-plan", { proven }, ({ proven }) => proven !== null).then(() => {
    acquireLockStep({ key: cartId, timeout: 4, ttl: 10, retryInterval: 0.05 })
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
