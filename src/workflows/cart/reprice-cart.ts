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
  refreshCartItemsWorkflow,
  releaseLockStep,
} from "@medusajs/medusa/core-flows"
import { SVC_MODULE } from "../../modules/svc"
import { decidePrice, type ProvenPrice } from "../../modules/svc/price-policy"
import type SvcModuleService from "../../modules/svc/service"
import { CartRows, type LinePriceInput, type PriceChangeReason } from "../../modules/svc/sql/cart"
import { type KnownEvent, ProjectionRows } from "../../modules/svc/sql/projection"
import { type Basket, type BasketItem, campaignOf, readBasket } from "./basket"
import { readVariants, type StoreVariant } from "./catalog-variants"
import { campaignPriced, catalogPriced } from "./line-price"
import { lookupPrices } from "./price-lookup"

type Outcome =
  | { kind: "campaign"; campaignUid: string; record: LinePriceInput; price: ProvenPrice }
  | { kind: "catalog"; catalog: StoreVariant["catalog"]; reason: PriceChangeReason }
type Proof = { lineId: string; outcome: Outcome }

/** Proves again what has to be proven, before the lock: this calls the service. */
const proveLinesStep = createStep("svc-prove-lines", async (cartId: string, { container }) => {
  const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
  const due = await rows.linesToProve(cartId)
  if (due.length === 0) return new StepResponse<Proof[]>([])
  const basket = await readBasket(container, cartId)
  const items = basket.items.filter((item) => due.includes(item.id))
  return new StepResponse(await proveLines(container, basket, items))
})

async function proveLines(
  container: MedusaContainer,
  basket: Basket,
  items: BasketItem[],
): Promise<Proof[]> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const rows = new CartRows(svc.database())
  const projection = new ProjectionRows(svc.database())
  const [known, numbers, variants] = await Promise.all([
    rows.linePrices(basket.id),
    rows.orderNumbers(basket.id),
    readVariants(
      container,
      basket,
      items.map((item) => ({ product_id: item.variant_id ?? "" })),
    ),
  ])
  return Promise.all(
    items.map(async (item): Promise<Proof> => {
      const variant = variants.find((candidate) => candidate.variantId === item.variant_id)
      const catalog = variant?.catalog ?? null
      const fallBack = (reason: PriceChangeReason): Proof => ({
        lineId: item.id,
        outcome: { kind: "catalog", catalog, reason },
      })
      const record = known.find((row) => row.line_item_id === item.id)
      const campaignUid = record?.campaign_uid ?? campaignOf(item)
      const origin = record ?? numbers.find((row) => row.campaign_uid === campaignUid)
      if (!campaignUid || !origin || !variant || !item.variant_id) {
        return fallBack("price_unavailable")
      }
      const campaign = await projection.campaign(origin.connection_id, campaignUid)
      const deadline = campaign?.deadline?.getTime() ?? null
      const [connection] = await svc.listSvcConnections({ id: origin.connection_id })
      if (!connection || isOver(campaign, Date.now())) return fallBack("campaign_ended")

      const [lookup] = await lookupPrices(container, connection.id, campaignUid, [
        {
          productId: variant.productId,
          ...(variant.siblings > 1 ? { variantId: variant.variantId } : {}),
        },
      ])
      if (!lookup?.ok) return fallBack("price_unavailable")
      const verdict = decidePrice({
        price: lookup.price,
        cartCurrency: basket.currency_code,
        connectionCurrency: basket.currency_code,
        pricesIncludeVat: connection.prices_include_vat,
        catalog,
        deadline,
        fetchedAt: lookup.fetchedAt,
      })
      if (!verdict.ok) {
        return fallBack(verdict.code === "campaign_ended" ? "campaign_ended" : "price_unavailable")
      }
      const { price } = verdict
      return {
        lineId: item.id,
        outcome: {
          kind: "campaign",
          campaignUid,
          price,
          record: {
            line_item_id: item.id,
            cart_id: basket.id,
            connection_id: connection.id,
            campaign_uid: campaignUid,
            order_no: origin.order_no,
            product_id: variant.productId,
            variant_id: item.variant_id,
            amount: price.amount,
            catalog_amount: price.catalogAmount,
            currency_code: basket.currency_code,
            is_tax_inclusive: price.isTaxInclusive,
            source: "lookup",
            fetched_at: price.fetchedAt,
            expires_at: price.expiresAt,
          },
        },
      }
    }),
  )
}

/** The same rule as `CAMPAIGN_OVER` in `sql/cart.ts`, for the event that stands for the campaign. */
const isOver = (campaign: KnownEvent | null, now: number): boolean =>
  campaign !== null &&
  (campaign.deleted_at !== null ||
    campaign.status === "cancelled" ||
    (campaign.deadline !== null && campaign.deadline.getTime() <= now))

/** Writes the proven prices to the lines that are still there, under the lock. */
const writePricesStep = createStep(
  "svc-write-prices",
  async ({ cartId, proofs }: { cartId: string; proofs: Proof[] }, { container }) => {
    const rows = new CartRows(container.resolve<SvcModuleService>(SVC_MODULE).database())
    const carts = container.resolve(Modules.CART)
    const basket = await readBasket(container, cartId)
    let changed = 0
    for (const { lineId, outcome } of proofs) {
      const item = basket.items.find((candidate) => candidate.id === lineId)
      if (!item) continue
      // Written down before the line changes: a process that dies in between has told too much, not too little.
      const change = async (reason: PriceChangeReason, removed = false) => {
        changed += 1
        await rows.recordPriceChange({
          cart_id: cartId,
          line_item_id: item.id,
          variant_id: item.variant_id,
          title: item.title,
          old_unit_price: item.unit_price,
          currency_code: basket.currency_code,
          reason,
          removed,
        })
      }
      if (outcome.kind === "campaign") {
        const { record, price, campaignUid } = outcome
        if (price.amount !== item.unit_price) await change("price_changed")
        // Tax basis and struck-through price may have changed at the same amount.
        await carts.updateLineItems(item.id, campaignPriced(price, campaignUid))
        await rows.recordLinePrices([record])
      } else if (outcome.catalog === null) {
        await change(outcome.reason, true)
        await carts.deleteLineItems(item.id)
        await rows.forgetLinePrices([item.id])
      } else {
        if (outcome.catalog.amount !== item.unit_price) await change(outcome.reason)
        await carts.updateLineItems(item.id, catalogPriced(outcome.catalog))
        await rows.forgetLinePrices([item.id])
      }
    }
    return new StepResponse(changed)
  },
)

/**
 * Proves the campaign prices of a basket again where their time is up, and writes down what they are now: the
 * show's present price, or the catalog price where the show is over or gives none. Nothing to prove costs one
 * short query. What changed is kept until a shopper was told (`tell-price-changes.ts`).
 *
 * @returns how many lines cost something else now
 */
export const repriceCartWorkflow = createWorkflow("svc-reprice-cart", (cartId: string) => {
  const proofs = proveLinesStep(cartId)
  // Conditions do not nest in a workflow, so each part asks for itself.
  when("svc-to-lock", { proofs }, ({ proofs }) => proofs.length > 0).then(() => {
    acquireLockStep({ key: cartId, timeout: 4, ttl: 10, retryInterval: 0.05 })
  })
  const changed = when("svc-to-write", { proofs }, ({ proofs }) => proofs.length > 0).then(() =>
    writePricesStep({ cartId, proofs }),
  )
  when("svc-to-refresh", { changed }, ({ changed }) => (changed ?? 0) > 0).then(() => {
    refreshCartItemsWorkflow.runAsStep({ input: { cart_id: cartId } })
  })
  when("svc-to-unlock", { proofs }, ({ proofs }) => proofs.length > 0).then(() => {
    releaseLockStep({ key: cartId })
  })
  return new WorkflowResponse(transform({ changed }, ({ changed }) => changed ?? 0))
})
