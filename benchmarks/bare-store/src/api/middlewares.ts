import { defineMiddlewares } from "@medusajs/framework/http"

export default defineMiddlewares({
  routes: [{ matcher: "/bare", methods: ["POST"], bodyParser: { preserveRawBody: true } }],
})
