import { defineMiddlewares } from "@medusajs/framework/http"
import { someCheckoutRequest, updateCartContentsRequest } from "../workflows/cart"
import {
  createConnectionInput,
  rotateKeysInput,
  tryServiceInput,
  updateConnectionInput,
} from "../workflows/connections"
import {
  awaitTestInput,
  pasteWebhookKeyInput,
  registerWebhookInput,
  replayDeliveriesInput,
} from "../workflows/webhooks"
import { noticePriceListChange } from "./admin/price-lists/notice-change"
import { noticeCategoryProducts } from "./admin/product-categories/notice-products"
import { syncInput } from "./admin/svc/connections/[id]/sync/route"
import { rebuildLedgerInput } from "./admin/svc/ledger/rebuild/body"
import { reportOrdersInput } from "./admin/svc/orders/report/route"
import { pushProductsInput } from "./admin/svc/products/push/route"
import { READ_BY_US, withBody } from "./body"
import { refuseOddPath } from "./refuse-odd-path"
import { guardComplete, guardPayment } from "./store/carts/[id]/svc/guard-complete"
import { keepCampaignLines } from "./store/carts/[id]/svc/keep-campaign-lines"
import { limitQuantity, noticeRemoval } from "./store/carts/[id]/svc/limit-quantity"

/** Every route middleware of the plugin; each is written beside the route that it belongs to. */
export default defineMiddlewares({
  routes: [
    ...["/admin/svc", "/store/svc", "/store/carts/:id/svc", "/hooks/svc"].map((matcher) => ({
      matcher,
      middlewares: [refuseOddPath],
    })),
    // The signature covers the bytes as they came: the route reads them itself (interface §5 rule 3).
    { matcher: "/hooks/svc/:connection_id", methods: ["POST"], bodyParser: false },
    ...READ_BY_US,
    withBody("/admin/svc/connections", createConnectionInput),
    withBody("/admin/svc/connections/:id", updateConnectionInput),
    withBody("/admin/svc/service-check", tryServiceInput),
    withBody("/admin/svc/connections/:id/sync", syncInput),
    withBody("/admin/svc/connections/:id/sync/preview", syncInput),
    withBody("/admin/svc/products/push", pushProductsInput),
    withBody("/admin/svc/connections/:id/webhook", registerWebhookInput),
    withBody("/admin/svc/connections/:id/webhook/key", pasteWebhookKeyInput),
    withBody("/admin/svc/connections/:id/webhook/test", awaitTestInput),
    withBody("/admin/svc/deliveries/replay", replayDeliveriesInput),
    withBody("/admin/svc/orders/report", reportOrdersInput),
    withBody("/admin/svc/ledger/rebuild", rebuildLedgerInput),
    withBody("/admin/svc/encryption-keys/rotate", rotateKeysInput),
    withBody("/store/carts/:id/svc/some-checkout", someCheckoutRequest),
    withBody("/store/carts/:id/svc/update-cart-contents", updateCartContentsRequest),
    { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [keepCampaignLines] },
    {
      matcher: "/store/carts/:id/line-items/:line_id",
      methods: ["POST"],
      middlewares: [limitQuantity],
    },
    {
      matcher: "/store/carts/:id/line-items/:line_id",
      methods: ["DELETE"],
      middlewares: [noticeRemoval],
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
