import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { campaignOfLine } from "../../modules/svc/attribute"
import type SvcModuleService from "../../modules/svc/service"
import { AttributionRows, campaignKey } from "../../modules/svc/sql/attribution"
import { CartRows, type LinePriceRow } from "../../modules/svc/sql/cart"
import { ProjectionRows } from "../../modules/svc/sql/projection"
import { ORDER_LINE_FIELDS } from "./order-lines"

/** What a campaign sold; amounts in major units of `currency_code`, tax included. */
export type CampaignRevenue = {
  campaign_uid: string
  connection_id: string
  event_id: string | null
  name: string | null
  currency_code: string
  orders: number
  units: number
  gross: number
  /** Of cancelled orders and of pieces that came back. */
  refunded: number
  net: number
  /** Orders per basket that met the show, 0 to 1; null where no basket did. */
  conversion_rate: number | null
}

type SoldOrder = {
  id: string
  canceled_at: Date | string | null
  items: {
    variant_id: string | null
    unit_price: BigNumberInput
    quantity: BigNumberInput
    total: BigNumberInput
    detail: { return_received_quantity?: BigNumberInput } | null
  }[]
}

/** The ledger per campaign: what was sold, what came back, what remains (gap 51). */
export async function campaignRevenue(
  container: MedusaContainer,
  filter: { connectionIds?: string[]; campaignUids?: string[] },
  page: { limit: number; offset: number },
): Promise<{ campaigns: CampaignRevenue[]; count: number }> {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const rows = new AttributionRows(svc.database())
  const projection = new ProjectionRows(svc.database())
  const query = container.resolve(ContainerRegistrationKeys.QUERY)

  const { rows: sold, count } = await rows.campaigns(filter, page)
  if (sold.length === 0) return { campaigns: [], count }
  const baskets = await rows.basketsByCampaign(sold)
  const { data } = await query.graph({
    entity: "order",
    fields: ["id", "canceled_at", ...ORDER_LINE_FIELDS],
    filters: { id: [...new Set(sold.flatMap((campaign) => campaign.order_ids))] },
  })
  const prices = await new CartRows(svc.database()).linePricesOfOrders([
    ...new Set(sold.flatMap((campaign) => campaign.order_ids)),
  ])
  const orders = new Map((data as SoldOrder[]).map((order) => [order.id, order]))

  const campaigns = await Promise.all(
    sold.map(async (campaign): Promise<CampaignRevenue> => {
      const event = await projection.campaign(campaign.connection_id, campaign.campaign_uid)
      const refunded = campaign.order_ids.reduce(
        (total, id) =>
          MathBN.add(
            total,
            refundedOf(orders.get(id), campaign.campaign_uid, prices.get(id) ?? []),
          ),
        MathBN.convert(0),
      )
      const met = baskets.get(campaignKey(campaign.connection_id, campaign.campaign_uid)) ?? 0
      return {
        campaign_uid: campaign.campaign_uid,
        connection_id: campaign.connection_id,
        event_id: event?.event_id ?? null,
        name: event?.name ?? null,
        currency_code: campaign.currency_code,
        orders: campaign.orders,
        units: campaign.units,
        gross: campaign.gross,
        refunded: refunded.toNumber(),
        net: MathBN.sub(campaign.gross, refunded).toNumber(),
        conversion_rate: met === 0 ? null : Math.min(1, campaign.orders / met),
      }
    }),
  )
  return { campaigns, count }
}

function refundedOf(
  order: SoldOrder | undefined,
  campaignUid: string,
  prices: LinePriceRow[],
): BigNumberInput {
  const lines = (order?.items ?? []).filter(
    (item) =>
      campaignOfLine({ variantId: item.variant_id, unitPrice: item.unit_price }, prices) ===
      campaignUid,
  )
  return lines.reduce<BigNumberInput>((sum, item) => {
    if (order?.canceled_at) return MathBN.add(sum, item.total)
    const back = item.detail?.return_received_quantity ?? 0
    if (MathBN.eq(back, 0) || MathBN.eq(item.quantity, 0)) return sum
    return MathBN.add(sum, MathBN.mult(MathBN.div(item.total, item.quantity), back))
  }, 0)
}
