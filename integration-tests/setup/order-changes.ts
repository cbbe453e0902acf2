/** What a merchant does with a placed order, over Medusa's own admin routes. */
import { updateOrderTaxLinesWorkflow } from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import type { MedusaSuiteOptions } from "@medusajs/test-utils"

type Api = MedusaSuiteOptions["api"]
type Headers = { headers: Record<string, string> }
type Piece = { id: string; quantity: number }

type AdminLine = {
  id: string
  variant_id: string | null
  quantity: number
  unit_price: number
  total: number
  tax_total: number
  detail: { return_received_quantity: number }
}

export type AdminOrder = {
  id: string
  display_id: number
  version: number
  total: number
  item_total: number
  shipping_total: number
  credit_line_total: number
  items: AdminLine[]
  summary: { pending_difference: number }
  payment_collections: { id: string; payments: { id: string; captures: unknown[] }[] }[]
}

export function orderChanges(api: Api, container: MedusaContainer, admin: Headers) {
  const ask = async (path: string, body: object = {}) =>
    (await api.post(`/admin${path}`, body, admin)).data
  const read = async (path: string) => (await api.get(`/admin${path}`, admin)).data
  let place: { location_id: string } | undefined
  const location = async () => {
    place ??= { location_id: (await read("/stock-locations")).stock_locations[0].id }
    return place
  }

  const order = async (id: string): Promise<AdminOrder> =>
    (
      await read(
        `/orders/${id}?fields=version,display_id,total,item_total,shipping_total,credit_line_total,summary,*items,+items.total,+items.tax_total,+items.detail.*,*payment_collections.payments,*payment_collections.payments.captures`,
      )
    ).order
  const payment = async (id: string): Promise<string> =>
    (await order(id)).payment_collections[0]?.payments[0]?.id ?? ""
  const receive = async (returnId: string, pieces: Piece[], damaged: Piece[] = []) => {
    await ask(`/returns/${returnId}/receive`)
    if (pieces.length > 0) await ask(`/returns/${returnId}/receive-items`, { items: pieces })
    if (damaged.length > 0) await ask(`/returns/${returnId}/dismiss-items`, { items: damaged })
    await ask(`/returns/${returnId}/receive/confirm`)
  }

  return {
    order,
    /** Sets a line's quantity and, where given, its unit price. */
    edit: async (
      id: string,
      line: string,
      change: { quantity: number; unit_price?: number },
      keepPromotions = false,
    ) => {
      const { order_change } = await ask("/order-edits", { order_id: id })
      if (keepPromotions) {
        await ask(`/order-changes/${order_change.id}`, { carry_over_promotions: true })
      }
      await ask(`/order-edits/${id}/items/item/${line}`, change)
      await ask(`/order-edits/${id}/request`)
      await ask(`/order-edits/${id}/confirm`)
    },
    /** Adds a line. */
    add: async (id: string, variantId: string, quantity: number, unitPrice?: number) => {
      await ask("/order-edits", { order_id: id })
      await ask(`/order-edits/${id}/items`, {
        items: [
          {
            variant_id: variantId,
            quantity,
            ...(unitPrice === undefined ? {} : { unit_price: unitPrice }),
          },
        ],
      })
      await ask(`/order-edits/${id}/request`)
      await ask(`/order-edits/${id}/confirm`)
    },
    /** Adds a delivery. */
    ship: async (id: string) => {
      const { shipping_options } = await read(`/orders/${id}/shipping-options`)
      await ask("/order-edits", { order_id: id })
      await ask(`/order-edits/${id}/shipping-method`, {
        shipping_option_id: shipping_options.find(
          (option: { price_type: string }) => option.price_type === "flat",
        )?.id,
        custom_amount: 29.5,
      })
      await ask(`/order-edits/${id}/request`)
      await ask(`/order-edits/${id}/confirm`)
    },
    fulfil: async (id: string, pieces: Piece[]) =>
      ask(`/orders/${id}/fulfillments`, { items: pieces, ...(await location()) }),
    /** Requested and received; what is damaged does not go back into stock. */
    sendBack: async (id: string, pieces: Piece[], damaged: Piece[] = []) => {
      const { return: sentBack } = await ask("/returns", { order_id: id, ...(await location()) })
      await ask(`/returns/${sentBack.id}/request-items`, { items: [...pieces, ...damaged] })
      await ask(`/returns/${sentBack.id}/request`)
      await receive(sentBack.id, pieces, damaged)
    },
    /** Pieces come back, others go out; with `calledOff`, nothing has come back when the exchange is cancelled. */
    exchange: async (
      id: string,
      back: Piece[],
      out: { variant_id: string; quantity: number; unit_price?: number }[],
      calledOff = false,
    ) => {
      const { exchange } = await ask("/exchanges", { order_id: id })
      const inbound = await ask(`/exchanges/${exchange.id}/inbound/items`, {
        items: back,
        ...(await location()),
      })
      await ask(`/exchanges/${exchange.id}/outbound/items`, { items: out })
      await ask(`/exchanges/${exchange.id}/request`)
      if (calledOff) await ask(`/exchanges/${exchange.id}/cancel`)
      else await receive(inbound.return.id, back)
    },
    /** A piece that was wrong is replaced or, without `out`, paid back. */
    claim: async (
      id: string,
      back: Piece[],
      out: { variant_id: string; quantity: number; unit_price?: number }[] = [],
      calledOff = false,
    ) => {
      const { claim } = await ask("/claims", {
        order_id: id,
        type: out.length > 0 ? "replace" : "refund",
      })
      await ask(`/claims/${claim.id}/claim-items`, { items: back })
      const inbound = await ask(`/claims/${claim.id}/inbound/items`, {
        items: back,
        ...(await location()),
      })
      if (out.length > 0) await ask(`/claims/${claim.id}/outbound/items`, { items: out })
      await ask(`/claims/${claim.id}/request`)
      if (calledOff) await ask(`/claims/${claim.id}/cancel`)
      else await receive(inbound.return.id, back)
    },
    capture: async (id: string) => ask(`/payments/${await payment(id)}/capture`),
    refund: async (id: string, amount: number, reason?: string) => {
      const { refund_reasons } = await read("/refund-reasons")
      const named = refund_reasons.find((row: { label: string }) => row.label === reason)
      await ask(`/payments/${await payment(id)}/refund`, {
        amount,
        ...(named ? { refund_reason_id: named.id } : {}),
      })
    },
    /** Settles a difference without money: a balance is waived. */
    waive: async (id: string, amount: number) =>
      ask(`/orders/${id}/credit-lines`, { amount, reference: "waived", reference_id: "waived" }),
    /** The taxes of a country change, and are computed again for an order that was placed before. */
    changeTaxes: async (id: string, country: string, rate: number) => {
      const { tax_rates } = await read(
        `/tax-rates?fields=id,rate,tax_region.country_code&limit=100`,
      )
      for (const each of tax_rates) {
        if (each.tax_region.country_code === country) await ask(`/tax-rates/${each.id}`, { rate })
      }
      await updateOrderTaxLinesWorkflow(container).run({ input: { order_id: id } })
    },
    cancel: async (id: string) => ask(`/orders/${id}/cancel`),
  }
}
