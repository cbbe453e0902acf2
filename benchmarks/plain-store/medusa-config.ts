/** The same store without the plugin: what the plugin costs is measured against it. */
import { defineConfig } from "@medusajs/framework/utils"

export default defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: "http://127.0.0.1:8000",
      adminCors: "http://127.0.0.1:9000",
      authCors: "http://127.0.0.1:9000",
      jwtSecret: "benchmark",
      cookieSecret: "benchmark",
    },
  },
  modules: [{ resolve: "@medusajs/medusa/caching", options: { in_memory: { enable: true } } }],
})
