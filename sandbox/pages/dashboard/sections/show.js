/** One show, run by hand. */
import { icon } from "/player/icons.js"
import { money, savedPercent } from "/player/money.js"
import { h } from "/player/view.js"
import { get, post, remove } from "../api.js"
import { dayAndTime, plural } from "../format.js"
import {
  ago,
  button,
  card,
  confirmed,
  copyable,
  empty,
  head,
  iconButton,
  picture,
  stateBadge,
} from "../parts.js"
import { go, href } from "../router.js"
import { addProduct, addProductDialog } from "./add-product.js"
import { checkoutLinks } from "./checkout-links.js"

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
          facts(ctx, event),
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

function facts(ctx, event) {
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
      "Player",
      h(
        "a",
        { href: player, target: "_blank", "data-testid": "open-player" },
        "Open the show as a shopper",
      ),
    ),
  )
}

function eventProduct(ctx, event, product) {
  const { data } = product
  const path = `/events/${encodeURIComponent(event.id)}/products/${encodeURIComponent(product.uid)}`
  const variants = data.variants?.length ?? 0
  const reference = product.catalog_price ?? data.suggestedRetailPrice
  const saved = savedPercent(data.price, reference)
  return h(
    "li.event-product",
    { key: product.uid, "data-testid": "event-product", "data-external-id": product.external_id },
    picture(data.image?.url ?? data.images?.[0]?.url),
    h(
      "div.event-product-text",
      null,
      h("strong", null, data.name),
      h(
        "span.soft",
        null,
        [data.sku, variants > 0 && plural(variants, "variant")].filter(Boolean).join(" · "),
      ),
    ),
    h(
      "div.catalog-price",
      null,
      h("span.soft", null, "Catalog"),
      h("span", null, money(reference, product.currency)),
    ),
    priceForm(ctx, product, path, saved),
    h(
      "label.switch",
      { title: "May be bought" },
      h("input", {
        type: "checkbox",
        role: "switch",
        checked: data.available,
        "aria-label": `${data.name} is available`,
        onchange: () =>
          ctx.act(`available ${product.uid}`, () => post(path, { available: !data.available })),
      }),
      h("span", null, data.available ? "On sale" : "Sold out"),
    ),
    iconButton(ctx, {
      label: `Remove ${data.name}`,
      sign: "trash",
      testid: "remove-product",
      run: () => remove(path),
      done: `${data.name} is out of the show`,
    }),
  )
}

/** The show's price, changed while the show runs. */
function priceForm(ctx, product, path, saved) {
  const { data, currency } = product
  const key = `price ${product.uid}`
  return h(
    "form.price-form",
    {
      onsubmit: (event) => {
        event.preventDefault()
        const price = Number(new FormData(event.currentTarget).get("price"))
        // Variants with a price of their own keep their distance to the product's.
        ctx.act(
          key,
          () => post(path, { price, ...movedVariants(data, price) }),
          `${data.name}: ${money(price, currency)}`,
        )
      },
    },
    h(
      "label",
      null,
      h("span.soft", null, "Show price", saved > 0 && h("b.saved", null, ` −${saved} %`)),
      h(
        "span.price-input",
        null,
        h("input", {
          name: "price",
          type: "number",
          min: 0,
          step: "0.01",
          required: true,
          value: data.price,
          "data-testid": "price-input",
        }),
        h("span", null, currency),
      ),
    ),
    h(
      "button.button.plain",
      {
        type: "submit",
        "data-testid": "price-save",
        "aria-disabled": ctx.isBusy(key) ? "true" : false,
      },
      ctx.isBusy(key) ? h("span.spinner") : "Set",
    ),
  )
}

function movedVariants(data, price) {
  const priced = (data.variants ?? []).filter((variant) => variant.price !== undefined)
  if (priced.length === 0) {
    return {}
  }
  return {
    variants: priced.map((variant) => ({
      external_id: variant.externalId,
      price: Math.max(0, Math.round((variant.price + price - data.price) * 100) / 100),
    })),
  }
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
