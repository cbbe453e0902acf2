/** What `query.graph` follows from an order, a cart and a product to our rows, and back. */
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { OrdersShop } from "./shop"

type Row = Record<string, unknown>

export function describeLinks(shop: OrdersShop): void {
  const { getContainer, basket, settled, knex, aMugShow } = shop
  const one = async (entity: string, fields: string[], filters: Row): Promise<Row> => {
    const query = getContainer().resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({ entity, fields, filters })
    expect(data).toHaveLength(1)
    return data[0] as Row
  }

  describe("the links of an entity", () => {
    it("give each its own rows, where one query asks for all of them", async () => {
      const { cartId, orderNo } = await basket(await aMugShow())
      const cart = await one("cart", ["*", "svc_cart_order_numbers.*", "items.svc_line_price.*"], {
        id: cartId,
      })
      expect(cart).toMatchObject({
        svc_cart_order_numbers: [{ cart_id: cartId, order_no: orderNo }],
        items: [{ svc_line_price: { cart_id: cartId } }],
      })
      const [item] = cart.items as { id: string; svc_line_price: { line_item_id: string } }[]
      expect(item?.svc_line_price.line_item_id).toBe(item?.id)

      const orderId = await shop.place(cartId)
      await settled(orderId)
      const placed = await one("order", ["*", "svc_attributions.*", "items.*"], { id: orderId })
      expect(placed).toMatchObject({
        svc_attributions: [{ order_id: orderId, svc_order_no: orderNo }],
      })
      const product = await one("product", ["*", "svc_catalog_items.*", "variants.*"], {
        id: shop.mug.product_id,
      })
      expect(product.svc_catalog_items).toEqual(
        (await knex()("svc_catalog_item").where({ product_id: shop.mug.product_id })).map(
          ({ id }) => expect.objectContaining({ id, product_id: shop.mug.product_id }),
        ),
      )

      const attribution = await one("svc_attribution", ["*", "order.id"], { order_id: orderId })
      expect(attribution).toMatchObject({ order: { id: orderId } })
      const sale = { order_id: orderId, kind: "sale" }
      const entry = await one("svc_ledger_entry", ["*", "order.id"], sale)
      expect(entry).toMatchObject({ order: { id: orderId } })
    })
  })
}
