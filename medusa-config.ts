/**
 * The store that runs the plugin from its sources: Medusa loads `src/` of this folder the way it
 * loads an installed plugin. Everything that differs between machines comes from the environment.
 */
import { join } from "node:path"
import { defineConfig, loadEnv } from "@medusajs/framework/utils"

loadEnv(process.env.NODE_ENV ?? "development", __dirname)

const {
  DATABASE_URL,
  REDIS_URL,
  STORE_CORS,
  ADMIN_CORS,
  AUTH_CORS,
  JWT_SECRET,
  COOKIE_SECRET,
  MEDUSA_WORKER_MODE,
  TEST_CARD_PROVIDER,
} = process.env

const STOREFRONT_ORIGINS = "http://127.0.0.1:8000,http://localhost:8000"
const ADMIN_ORIGINS = "http://127.0.0.1:9000,http://localhost:9000"

/** Known to everybody who reads this file, so a production store must bring its own. */
function secret(name: string, value: string | undefined): string | undefined {
  if (value) return value
  if (process.env.NODE_ENV === "production") {
    throw new Error(`${name} is not set. Set it to a long random value: openssl rand -base64 48`)
  }
  return "development-only"
}

function workerMode(value: string | undefined): "shared" | "worker" | "server" {
  if (value === undefined || value === "") return "shared"
  if (value === "shared" || value === "worker" || value === "server") return value
  throw new Error(`MEDUSA_WORKER_MODE is "${value}"; it can be shared, worker or server.`)
}

/** Several processes share events, workflows, locks and the cache only through Redis. */
const sharedThroughRedis = (redisUrl: string) => [
  {
    resolve: "@medusajs/medusa/event-bus-redis",
    options: { redisUrl },
  },
  {
    resolve: "@medusajs/medusa/workflow-engine-redis",
    options: { redis: { redisUrl } },
  },
  {
    resolve: "@medusajs/medusa/locking",
    options: {
      providers: [
        {
          id: "locking-redis",
          resolve: "@medusajs/medusa/locking-redis",
          is_default: true,
          options: { redisUrl },
        },
      ],
    },
  },
  {
    resolve: "@medusajs/medusa/caching",
    options: {
      providers: [
        {
          id: "caching-redis",
          resolve: "@medusajs/medusa/caching-redis",
          is_default: true,
          options: { redisUrl },
        },
      ],
    },
  },
]

const inOneProcess = [
  {
    resolve: "@medusajs/medusa/caching",
    options: { in_memory: { enable: true } },
  },
]

/** For tests of payments: a provider that, unlike Medusa's manual one, takes money before the order. */
const cardPayments = [
  {
    resolve: "@medusajs/medusa/payment",
    options: {
      providers: [
        { id: "test", resolve: join(__dirname, "integration-tests/setup/card-provider") },
      ],
    },
  },
]

export default defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    ...(REDIS_URL ? { redisUrl: REDIS_URL } : {}),
    workerMode: workerMode(MEDUSA_WORKER_MODE),
    http: {
      storeCors: STORE_CORS || STOREFRONT_ORIGINS,
      adminCors: ADMIN_CORS || ADMIN_ORIGINS,
      authCors: AUTH_CORS || `${ADMIN_ORIGINS},${STOREFRONT_ORIGINS}`,
      jwtSecret: secret("JWT_SECRET", JWT_SECRET),
      cookieSecret: secret("COOKIE_SECRET", COOKIE_SECRET),
    },
  },
  modules: [
    ...(REDIS_URL ? sharedThroughRedis(REDIS_URL) : inOneProcess),
    ...(TEST_CARD_PROVIDER ? cardPayments : []),
    // Its options are the SVC_ variables.
    { resolve: "./src/modules/svc" },
  ],
})
