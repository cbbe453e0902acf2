/** The first page: what is on, the numbers, and the next step of a first show. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get } from "../api.js"
import { dayAndTime, percent, plural } from "../format.js"
import { ago, card, copyable, figure, head, stateBadge } from "../parts.js"
import { href } from "../router.js"
import { planShow, showDialog } from "./plan-show.js"

export const overview = {
  async load({ page }) {
    const page_uid = page.uid
    const [products, { events }, { orders }, { subscribers }, failed] = await Promise.all([
      get("/products", { page_uid, limit: 1 }),
      get("/events", { page_uid }),
      get("/orders", { page_uid }),
      get("/subscribers", { page_uid }),
      get("/deliveries", { page_uid, state: "failed", limit: 1 }),
    ])
    return { products: products.count, events, orders, subscribers, failed: failed.count }
  },

  view(ctx, data) {
    const live = data.events.filter(({ status }) => status === "live")
    const converted = data.orders.filter(({ converted_at }) => converted_at)
    const done = steps(data, converted.length)
    const complete = done.every(({ done }) => done)
    return [
      head("Overview", `${ctx.page.name} · ${ctx.page.uid}`, planShow(ctx)),
      live.map((event) => onAir(ctx, event)),
      h(
        "div.figures",
        null,
        figure({
          label: "Products",
          value: data.products.toLocaleString(),
          note: data.products ? "as the store pushed them" : "waiting for the store",
          to: href(["products"]),
          testid: "figure-products",
        }),
        figure({
          label: "Baskets",
          value: data.orders.length.toLocaleString(),
          note: "order numbers issued",
          to: href(["orders"]),
          testid: "figure-issued",
        }),
        figure({
          label: "Conversions",
          value: converted.length.toLocaleString(),
          note: data.orders.length
            ? `${percent(converted.length, data.orders.length)} of the baskets`
            : "no basket yet",
          to: href(["orders"]),
          testid: "figure-conversions",
        }),
        figure({
          label: "Failed deliveries",
          value: data.failed.toLocaleString(),
          note: data.failed ? "every attempt was used up" : "nothing was lost",
          to: href(["deliveries"], { state: "failed" }),
          testid: "figure-failed",
        }),
      ),
      !complete && firstShow(done),
      h("div.columns", null, connection(ctx), upcoming(data.events)),
      showDialog(ctx),
    ]
  },
}

function onAir(ctx, event) {
  return h(
    "a.on-air",
    { key: event.id, href: href(["shows", event.id]) },
    h("img", { src: event.data.event.coverPhotoPath, alt: "" }),
    h(
      "div",
      null,
      stateBadge("live", "On air"),
      h("strong", null, event.data.event.eventName),
      h(
        "span",
        null,
        plural(event.products, "product"),
        " · since ",
        ago(ctx, event.data.event.liveStartTime),
      ),
    ),
    icon("right"),
  )
}

function steps({ products, events, orders, subscribers }, conversions) {
  const started = events.some(({ status }) => status !== "planned")
  return [
    {
      title: "Push the catalog",
      text: "In the store's admin, add a connection with the page, token and address below, and start the import.",
      done: products > 0,
      to: href(["products"]),
    },
    {
      title: "Register the webhook",
      text: "The store does this from its connection; here you see every delivery it gets.",
      done: subscribers.length > 0,
      to: href(["subscribers"]),
    },
    {
      title: "Plan a show and give it products",
      text: "Pick from what the store pushed and set the show's prices.",
      done: events.some((event) => event.products > 0),
      to: href(["shows"]),
    },
    {
      title: "Go live",
      text: "The player appears on the storefront by itself.",
      done: started,
      to: href(["shows"]),
    },
    {
      title: "Fill a basket from the player",
      text: "The basket gets an order number, its lines the show's prices.",
      done: orders.length > 0,
      to: "/player",
    },
    {
      title: "Place the order",
      text: "The store reports the order number: the first conversion.",
      done: conversions > 0,
      to: href(["orders"]),
    },
  ]
}

function firstShow(all) {
  const next = all.findIndex(({ done }) => !done)
  return card(
    "Your first show",
    h(
      "ol.steps",
      null,
      all.map(({ title, text, done, to }, i) =>
        h(
          "li",
          { "data-done": done, "data-next": i === next },
          h("span.step-sign", null, done ? icon("check") : i + 1),
          h("div", null, h("a", { href: to }, title), h("p", null, text)),
        ),
      ),
    ),
  )
}

function connection(ctx) {
  const { page } = ctx
  return card(
    "Connect a store",
    h(
      "dl.facts",
      null,
      h("dt", null, "Address"),
      h("dd", null, copyable(ctx, location.origin, "Copy the address")),
      h("dt", null, "Page"),
      h("dd", null, copyable(ctx, page.uid, "Copy the page")),
      h("dt", null, "API token"),
      h("dd", null, copyable(ctx, page.api_token, "Copy the token")),
      h("dt", null, "Player script"),
      h(
        "dd",
        null,
        copyable(
          ctx,
          `<script src="${location.origin}/player.js" data-page-uid="${page.uid}" async></script>`,
          "Copy the script tag",
        ),
      ),
      h("dt", null, "Money"),
      h(
        "dd",
        null,
        `${page.currency}, prices ${page.vat.included ? "include" : "exclude"} ${page.vat.rate} % VAT`,
      ),
    ),
  )
}

function upcoming(events) {
  const planned = events
    .filter(({ status }) => status === "planned")
    .sort((a, b) => a.data.event.eventStartTimestamp - b.data.event.eventStartTimestamp)
    .slice(0, 5)
  return card(
    "Planned shows",
    planned.length === 0
      ? h("p.soft", null, "None. A show that is planned announces itself to the store by webhook.")
      : h(
          "ul.rows",
          null,
          planned.map((event) =>
            h(
              "li",
              { key: event.id },
              h("a", { href: href(["shows", event.id]) }, event.data.event.eventName),
              h("span.soft", null, dayAndTime(event.data.event.eventStartTimestamp)),
            ),
          ),
        ),
  )
}
