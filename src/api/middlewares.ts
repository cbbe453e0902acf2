import { defineMiddlewares } from "@medusajs/framework/http"
import { noticeCategoryProducts, noticePriceListChange } from "./admin/notice-changes"
import { READ_BY_US } from "./body"
import { hideToken } from "./hooks/svc/hide-token"
import { refuseOddPath } from "./refuse-odd-path"
import { guardComplete, guardPayment } from "./store/carts/[id]/svc/guard-complete"
import { keepCampaignLines } from "./store/carts/[id]/svc/keep-campaign-lines"
import { limitQuantity } from "./store/carts/[id]/svc/limit-quantity"

/** Every route middleware of the plugin; each is written beside the route that it belongs to. */
export default defineMiddlewares({
  routes: [
    ...["/admin/svc", "/store/svc", "/store/carts/:id/svc"].map((matcher) => ({
      matcher,
      middlewares: [refuseOddPath],
    })),
    // What is refused is logged, too.
    { matcher: "/hooks/svc", middlewares: [hideToken, refuseOddPath] },
    // The signature covers the bytes as they came: the route reads them itself (interface §5 rule 3).
    { matcher: "/hooks/svc/:connection_id", methods: ["POST"], bodyParser: false },
    ...READ_BY_US,
    { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [keepCampaignLines] },
    {
      matcher: "/store/carts/:id/line-items/:line_id",
      methods: ["POST"],
      middlewares: [limitQuantity],
    },
    { matcher: "/store/carts/:id/complete", methods: ["POST"], middlewares: [guardComplete] },
    {
      matcher: "/store/payment-collections/:id/payment-sessions",
      methods: ["POST"],
      middlewares: [guardPayment],
    },
    {
      matcher: "/admin/price-lists/*",
      methods: ["POST"],
      middlewares: [noticePriceListChange],
    },
    {
      matcher: "/admin/product-categories/:id/products",
      methods: ["POST"],
      middlewares: [noticeCategoryProducts],
    },
  ],
})
