import { defineMiddlewares } from "@medusajs/framework/http"
import { guardComplete } from "./store/carts/[id]/svc/guard-complete"

/** Every route middleware of the plugin; each is written beside the route that it belongs to. */
export default defineMiddlewares({
  routes: [
    { matcher: "/store/carts/:id/complete", methods: ["POST"], middlewares: [guardComplete] },
  ],
})
