/** Baskets and the orders that were reported, and the prices that the store asked for. */

import type { Page } from "../../../store/tables"
import { Empty, Head, State, Table } from "./parts"
import { href, svc, timeOf, useLoaded } from "./shared"

export function Orders({ page: { uid: page_uid } }: { page: Page }) {
  const { data } = useLoaded(async () => {
    const [{ orders }, { events }, { entries }] = await Promise.all([
      svc.orders.list({ page_uid }),
      svc.events.list({ page_uid, deleted: "true" }),
      svc.journal.find({ q: `endpoint:price page_uid:${page_uid}`, order: "desc", limit: 50 }),
    ])
    return { orders, events, asked: entries }
  }, page_uid)
  if (!data) return null
  const { orders, events, asked } = data
  const showOf = (campaignUid: string) => {
    const event = events.find(({ campaign_uid }) => campaign_uid === campaignUid)
    if (!event) return <code>{campaignUid}</code>
    return <a href={href("shows", event.id)}>{event.data.event.eventName}</a>
  }
  return (
    <>
      <Head
        title="Orders"
        text="A basket gets its number from the player; the store reports it when the order is placed."
      />
      <div class="figures">
        <p class="card stack gap-4">
          <span class="soft">Conversions</span>
          <strong class="numeric" data-testid="conversions">
            {orders.filter(({ converted_at }) => converted_at).length}
          </strong>
        </p>
        <p class="card stack gap-4">
          <span class="soft">Baskets</span>
          <strong class="numeric" data-testid="issued">
            {orders.length}
          </strong>
        </p>
      </div>
      {orders.length === 0 ? (
        <Empty title="No order number yet">
          Open a live show as a shopper and add a product: the basket gets its number then.
        </Empty>
      ) : (
        <Table columns={["Order number", "Show", "State", "Issued", "#Reports"]}>
          {orders.map(({ order_no, campaign_uid, issued_at, converted_at, reports }) => (
            <tr key={order_no} data-testid="order" data-order-no={order_no}>
              <td>
                <code>{order_no}</code>
              </td>
              <td>{showOf(campaign_uid)}</td>
              <td>
                {converted_at ? (
                  <State state="converted" word={`converted ${timeOf(converted_at)}`} />
                ) : (
                  <State state="open" word="basket" />
                )}
              </td>
              <td class="soft">{timeOf(issued_at)}</td>
              <td class="numeric">{reports}</td>
            </tr>
          ))}
        </Table>
      )}
      <h2>Prices asked</h2>
      {asked.length === 0 ? (
        <p class="soft">
          None yet. The store asks before it puts a product of a show into a basket.
        </p>
      ) : (
        <Table columns={["Product", "Show", "#Answer", "When"]}>
          {asked.map(({ seq, at, path, status, request, response }) => {
            const { productId, variantId } = read(request.body)
            const { price, currency } = read(response?.body)
            return (
              <tr key={seq} data-testid="price-asked">
                <td>
                  <code class="wrap">
                    {String(productId)} {variantId ? String(variantId) : ""}
                  </code>
                </td>
                <td>{showOf(decodeURIComponent(path.split("/").at(-1) ?? ""))}</td>
                <td class="numeric">
                  {typeof price === "number" ? `${price} ${currency ?? ""}` : (status ?? "none")}
                </td>
                <td class="soft">{timeOf(at)}</td>
              </tr>
            )
          })}
        </Table>
      )}
    </>
  )
}

/** A body of the journal; nothing where it is no JSON object. */
function read(body: string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(body ?? "{}"))
  } catch {
    return {}
  }
}
