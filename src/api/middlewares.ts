import { defineMiddlewares } from "@medusajs/framework/http"

/** Every route middleware of the plugin; each is written beside the route that it belongs to. */
export default defineMiddlewares({
  routes: [],
})
