import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { campaignOfLine } from "../../modules/svc/orders/attribute-order"
import { type CampaignQuery, campaignKey } from "../../modules/svc/orders/attribution-rows"
import { refundedAmount } from "../../modules/svc/orders/refunded-amount"
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
  /** Of cancelled orders, of pieces that came back and of other refunds: see `refundedAmount`. */
  refunded: number
  net: number
  /** Orders per cart that met the show, 0 to 1; null where no cart did. */
  conversion_rate: number | null
}

type SoldOrder = {
  id: string
  canceled_at: Date | string | null
  items: {
    variant_id: string | null
    unit_price: BigNumberInput
    total: BigNumberInput
  }[]
  credit_lines: { amount: BigNumberInput; version: number }[] | null
}

/** Credit lines of the order's first version were paid with (gift cards); those of later versions are refunds. */
const PLACED_VERSION = 1

/** The ledger per campaign: what was sold, what came back, what remains (gap 51). */
export async function campaignRevenue(
  container: MedusaContainer,
  asked: CampaignQuery,
): Promise<{ campaigns: CampaignRevenue[]; count: number }> {
  const svc = container.resolve(SVC_MODULE)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)

  const { rows: sold, count } = await svc.attributions.campaigns(asked)
  if (sold.length === 0) return { campaigns: [], count }
  const carts = await svc.attributions.cartsByCampaign(sold)
  const orderIds = [...new Set(sold.flatMap((campaign) => Object.keys(campaign.gross_by_order)))]
  const { data } = await query.graph({
    entity: "order",
    fields: ["id", "canceled_at", "credit_lines.*", ...ORDER_LINE_FIELDS],
    filters: { id: orderIds },
  })
  const prices = await svc.linePrices.ofOrders(orderIds)
  const orders = new Map((data as SoldOrder[]).map((order) => [order.id, order]))

  const campaigns = await Promise.all(
    sold.map(async (campaign): Promise<CampaignRevenue> => {
      const event = await svc.shows.showOf(campaign.connection_id, campaign.campaign_uid)
      const refunded = MathBN.sum(
        0,
        ...Object.entries(campaign.gross_by_order).map(([id, gross]) => {
          const order = orders.get(id)
          return refundedAmount({
            gross,
            // An order that does not exist any more was deleted by hand: nothing of it counts.
            canceled: !order || order.canceled_at !== null,
            lines: (order?.items ?? []).map((item) => ({
              total: item.total,
              ofCampaign:
                campaignOfLine(
                  { variantId: item.variant_id, unitPrice: item.unit_price },
                  prices.get(id) ?? [],
                ) === campaign.campaign_uid,
            })),
            goodwill: MathBN.sum(
              0,
              ...(order?.credit_lines ?? [])
                .filter((line) => line.version > PLACED_VERSION)
                .map((line) => line.amount),
            ),
          })
        }),
      )
      const met = carts.get(campaignKey(campaign.connection_id, campaign.campaign_uid)) ?? 0
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
