/** Order numbers issued to baskets, and which of them became orders. */
import { h } from "/player/view.js"
import { get } from "../api.js"
import { dayAndTime, percent } from "../format.js"
import { ago, empty, figure, head, segments, stateBadge, table } from "../parts.js"
import { go, href } from "../router.js"

export const orders = {
  async load({ page }) {
    const [{ orders }, { events }] = await Promise.all([
      get("/orders", { page_uid: page.uid }),
      get("/events", { page_uid: page.uid, deleted: "true" }),
    ])
    return { orders, events }
  },

  view(ctx, { orders: all, events }, { query }) {
    const converted = all.filter(({ converted_at }) => converted_at)
    const repeated = all.filter(({ reports }) => reports > 1)
    const shown = query.state === "converted" ? converted : all
    return [
      head(
        "Orders",
        "A basket gets its number from the player; the store reports it when the order is placed.",
      ),
      h(
        "div.figures",
        null,
        figure({
          label: "Conversions",
          value: converted.length.toLocaleString(),
          note: "orders reported",
          testid: "conversions",
        }),
        figure({
          label: "Issued",
          value: all.length.toLocaleString(),
          note: "order numbers",
          testid: "issued",
        }),
        figure({
          label: "Conversion rate",
          value: percent(converted.length, all.length),
          note: "of the baskets",
        }),
        figure({
          label: "Reported twice",
          value: repeated.length.toLocaleString(),
          note: repeated.length ? "counted once each" : "none",
        }),
      ),
      all.length === 0
        ? empty({
            sign: "receipt",
            title: "No order number yet",
            text: "Open a live show as a shopper and add a product: the basket gets its number then.",
            action: h("a.button.primary", { href: href(["shows"]) }, "To the shows"),
          })
        : [
            segments(
              [
                ["", "All"],
                ["converted", "Converted"],
              ],
              query.state ?? "",
              (state) => go(["orders"], { state }),
              "Which orders",
            ),
            list(ctx, shown, events),
          ],
    ]
  },
}

function list(ctx, shown, events) {
  const showOf = (campaign) => events.find(({ campaign_uid }) => campaign_uid === campaign)
  return table(
    [
      { name: "Order number" },
      { name: "Show" },
      { name: "Issued" },
      { name: "State" },
      { name: "Reports", align: "right" },
    ],
    shown.map((order) => {
      const event = showOf(order.campaign_uid)
      return h(
        "tr",
        { key: order.order_no, "data-testid": "order", "data-order-no": order.order_no },
        h("td", null, h("code", null, order.order_no)),
        h(
          "td",
          null,
          event
            ? h("a", { href: href(["shows", event.id]) }, event.data.event.eventName)
            : h("code", null, order.campaign_uid),
        ),
        h("td", null, ago(ctx, order.issued_at)),
        h(
          "td",
          null,
          order.converted_at
            ? stateBadge("converted", `converted ${dayAndTime(order.converted_at)}`)
            : stateBadge("open", "basket"),
        ),
        h("td", { "data-align": "right" }, order.reports),
      )
    }),
  )
}
