import { defineConfig } from "@medusajs/framework/utils"

/** A store with nothing but Medusa and one route. */
export default defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    workerMode: "shared",
    http: {
      storeCors: "http://127.0.0.1:8000",
      adminCors: "http://127.0.0.1:9000",
      authCors: "http://127.0.0.1:9000",
      jwtSecret: "bench",
      cookieSecret: "bench",
    },
  },
  admin: { disable: true },
})
