/** One show, run by hand. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get, post, remove } from "../api.js"
import { dayAndTime } from "../format.js"
import { ago, button, card, confirmed, copyable, empty, head, stateBadge } from "../parts.js"
import { go, href } from "../router.js"
import { addProduct, addProductDialog } from "./add-product.js"
import { checkoutLinks, storefront } from "./checkout-links.js"
import { eventProduct, eventProductDialog } from "./event-product.js"
import { editShow, editShowDialog } from "./plan-show.js"

/** The canonical chain (interface §3.1). */
const CHAIN = ["planned", "live", "processing", "vod"]

/** What may be done next, by status. */
const NEXT = {
  planned: { verb: "start", label: "Go live", sign: "broadcast", done: "The show is live" },
  live: { verb: "end", label: "End the show", sign: "stop", done: "The show has ended" },
  processing: {
    verb: "complete",
    label: "Complete the replay",
    sign: "film",
    done: "The replay is there",
  },
}

export const show = {
  async load({ id }) {
    const { event, products } = await get(`/events/${encodeURIComponent(id)}`)
    const { orders } = await get("/orders", { campaign_uid: event.campaign_uid })
    return { event, products, orders }
  },

  view(ctx, { event, products, orders }) {
    const { eventName, description } = event.data.event
    return [
      h("a.back", { href: href(["shows"]) }, icon("right"), "Shows"),
      head(eventName, description, actions(ctx, event)),
      h(
        "div.show-head",
        null,
        h("img.show-cover", { src: event.data.event.coverPhotoPath, alt: "" }),
        h(
          "div",
          null,
          event.kind === "live" ? chain(event) : stateBadge(event.status),
          facts(ctx, event, products),
        ),
      ),
      card(
        null,
        h(
          "header.card-head",
          null,
          h("h2", null, "Products in the show"),
          event.deleted_at === null && addProduct(ctx),
        ),
        products.length === 0
          ? empty({
              sign: "tag",
              title: "No product yet",
              text: "Add one from the catalog the store pushed. Its price here is the show's price.",
            })
          : h(
              "ul.event-products",
              null,
              products.map((product) => eventProduct(ctx, event, product)),
            ),
      ),
      h("div.columns", null, checkoutLinks(ctx, event, products), sales(ctx, orders)),
      addProductDialog(ctx, event, products),
      eventProductDialog(ctx, event, products),
      editShowDialog(ctx, event),
    ]
  },
}

function actions(ctx, event) {
  if (event.deleted_at !== null) {
    return stateBadge("deleted")
  }
  const next = event.kind === "live" ? NEXT[event.status] : undefined
  const path = `/events/${encodeURIComponent(event.id)}`
  const { eventName } = event.data.event
  return [
    next &&
      button(ctx, {
        label: next.label,
        sign: next.sign,
        tone: "primary",
        testid: `show-${next.verb}`,
        run: () => post(`${path}/${next.verb}`),
        done: next.done,
      }),
    event.status === "vod" &&
      button(ctx, {
        label: "Make it a clip",
        sign: "film",
        testid: "show-move",
        title: "The replay becomes a shoppable, and its topics follow",
        run: () => post(`${path}/move`, { kind: "shoppable" }),
        done: "The replay is a shoppable clip now",
      }),
    editShow(ctx),
    (event.status === "planned" || event.status === "live") &&
      button(ctx, {
        label: "Cancel it",
        tone: "quiet",
        testid: "show-cancel",
        run: confirmed(`Cancel “${eventName}”? Its prices end at once.`, () =>
          post(`${path}/cancel`),
        ),
        done: "The show is cancelled",
      }),
    button(ctx, {
      label: "Delete",
      tone: "quiet",
      testid: "show-delete",
      run: confirmed(`Delete “${eventName}” and its products?`, async () => {
        await remove(path)
        go(["shows"])
      }),
    }),
  ]
}

function chain(event) {
  const at = CHAIN.indexOf(event.status)
  if (at < 0) {
    return stateBadge(event.status)
  }
  return h(
    "ol.chain",
    { "aria-label": "Status" },
    CHAIN.map((status, i) =>
      h(
        "li",
        {
          "data-at": i < at ? "past" : i === at ? "now" : "next",
          "aria-current": i === at ? "step" : null,
        },
        i === at ? stateBadge(status) : h("span", null, i < at && icon("check"), status),
      ),
    ),
  )
}

function facts(ctx, event, products) {
  const { eventStartTimestamp, liveStartTime, liveEndTime, isPublished } = event.data.event
  const path = `/events/${encodeURIComponent(event.id)}`
  const player = `/player?${new URLSearchParams({ page_uid: event.page_uid, campaign_uid: event.campaign_uid })}`
  const row = (name, value) => value && [h("dt", null, name), h("dd", null, value)]
  return h(
    "dl.facts",
    null,
    row("Campaign", copyable(ctx, event.campaign_uid)),
    row("Planned for", eventStartTimestamp > 0 && dayAndTime(eventStartTimestamp)),
    row("On air", liveStartTime > 0 && ago(ctx, liveStartTime)),
    row("Ended", liveEndTime > 0 && ago(ctx, liveEndTime)),
    row("Prices end", event.deadline ? dayAndTime(event.deadline) : "never"),
    row(
      "Money",
      `${event.currency}, VAT ${event.vat.rate} % ${event.vat.included ? "included" : "on top"}`,
    ),
    row(
      "Published",
      h(
        "label.switch",
        null,
        h("input", {
          type: "checkbox",
          role: "switch",
          checked: isPublished,
          onchange: () => ctx.act("publish", () => post(path, { is_published: !isPublished })),
        }),
        h("span", null, isPublished ? "Storefronts may show it" : "Only here"),
      ),
    ),
    row(
      "Watch",
      h(
        "span.links",
        null,
        h("a", { href: player, target: "_blank", "data-testid": "open-player" }, "In the player"),
        h("a", { href: storefront(ctx, products), target: "_blank" }, "On the storefront"),
      ),
    ),
  )
}

function sales(ctx, orders) {
  const converted = orders.filter(({ converted_at }) => converted_at)
  return card(
    "From basket to order",
    h(
      "div.small-figures",
      null,
      h("div", null, h("strong", null, orders.length), h("span.soft", null, "baskets")),
      h(
        "div",
        null,
        h("strong", { "data-testid": "show-conversions" }, converted.length),
        h("span.soft", null, "conversions"),
      ),
    ),
    orders.length === 0
      ? h(
          "p.soft",
          null,
          "A basket gets its order number when the first product goes in from the player.",
        )
      : h(
          "ul.rows",
          null,
          orders
            .slice(0, 6)
            .map((order) =>
              h(
                "li",
                { key: order.order_no },
                h("code", null, order.order_no),
                order.converted_at
                  ? stateBadge("converted")
                  : h("span.soft", null, "issued ", ago(ctx, order.issued_at)),
              ),
            ),
        ),
  )
}
