import { MedusaError } from "@medusajs/framework/utils"
import { z } from "zod"
import { checkServiceUrl } from "../../client"
import { DEFAULT_TOLERANCE_MS, type GivenPrice, PRODUCT_STATUS } from "../../contract"
import type { PricePolicy } from "./cart/price-policy"
import type { ProductMapper } from "./catalog/product-mapper"
import { declaredConnection } from "./connections/declared-connections"
import { urlWithoutQuery } from "./connections/input"
import type { ReportFields } from "./orders/report-fields"

const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0", ""])])
  .transform((value) => (typeof value === "boolean" ? value : value === "true" || value === "1"))

/** A number, or its decimal text. Coercion would read an empty text as 0, which turns a check off. */
const numeric = <Schema extends z.ZodNumber>(schema: Schema) =>
  z.preprocess(
    (value) =>
      typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value,
    schema,
  )

/** A list, or a text with commas, as an environment variable has it. */
const texts = z.preprocess(
  (value) =>
    typeof value === "string" ? value.split(",").flatMap((part) => part.trim() || []) : value,
  z.array(z.string().min(1)),
)

const code = <Type>() =>
  z.custom<Type>((value) => typeof value === "function", "must be a function").optional()

/**
 * Options that are text or numbers: each may come from the environment, under `SVC_` and its own name. What each does
 * stands here once, and `docs/options.md` is written from it.
 */
export const TEXT_OPTIONS = {
  encryptionKeys: z
    .string()
    .optional()
    .describe(
      "`id:base64,id:base64`, 32 bytes each. The first encrypts API tokens and signature keys, all decrypt: to rotate, put a new one in front and run [`rotate-keys`](operations.md#change-the-encryption-key). Without one the store boots, and saving a secret says how to make one",
    ),
  backendUrl: urlWithoutQuery
    .optional()
    .describe("public address of this store, under which the service delivers webhooks"),
  allowInsecureUrls: flag
    .default(false)
    .describe(
      "take `http:`, loopback and private addresses of the service, also behind a public name; for development",
    ),
  monitoringToken: z
    .string()
    .min(16)
    .optional()
    .describe(
      "opens [`GET /hooks/svc/metrics`](operations.md#prometheus) to whoever sends it; 16 characters or more",
    ),
  databasePoolMax: numeric(z.number().int().min(1).max(100))
    .default(4)
    .describe(
      "[connections to the database](scaling.md#connections-to-the-database) for the plugin's background work, in each process",
    ),
  catalogRequestsPerSecond: numeric(z.number().positive().max(1000))
    .default(5)
    .describe("calls of `POST /products` a second for each connection, all processes together"),
  catalogDisabledStatus: z
    .string()
    .min(1)
    .default(PRODUCT_STATUS.disabled)
    .describe(
      "`status` of a product that is not for sale any more; the service's interface names only `enabled`",
    ),
  excludeEmails: texts
    .default([])
    .describe(
      "addresses whose orders are neither reported nor counted, `*` for anything: `*@my-shop.example`",
    ),
  paymentHoldMinutes: numeric(z.number().min(0).max(1440))
    .default(15)
    .describe(
      "for how many minutes after a payment has begun the show's prices stay as they are, also past the show's deadline. `0`: as without a payment (`priceHoldMinutes`, until the deadline at the latest). If your provider has a payment page of its own: at least as long as that page can be paid",
    ),
  priceHoldMinutes: numeric(z.number().min(1).max(1440))
    .default(30)
    .describe("how long a looked-up price stays with its line before it is looked up again"),
  whenCatalogIsCheaper: z
    .enum(["campaign", "catalog"])
    .default("campaign")
    .describe(
      "what is charged where the show's price is above what this customer pays without it: `campaign` or `catalog`",
    ),
  whenPriceUnavailable: z
    .enum(["refuse", "catalog", "webhook_price"])
    .default("refuse")
    .describe(
      "a lookup fails: `refuse` the line, sell at the `catalog` price, or at a `webhook_price` that a delivery told as of a moment within `priceHoldMinutes`",
    ),
  minPriceShare: numeric(z.number().min(0).max(1))
    .default(0)
    .describe(
      "floor: a show's price below this share of the catalog price is refused (`0.3`: below 30 %), where the store has one; `0`: none",
    ),
  webhookToleranceSeconds: numeric(z.number().min(0))
    .default(DEFAULT_TOLERANCE_MS / 1000)
    .describe(
      "how old or early a delivery may be; `0` turns the check off (behind a queueing gateway)",
    ),
  webhookMaxBytes: numeric(z.number().int().min(1024))
    .default(1024 * 1024)
    .describe("largest delivery that is taken"),
  webhookRetentionDays: numeric(z.number().int().min(1))
    .default(30)
    .describe(
      "days for which applied deliveries are kept (fewer where all bodies are more than 1 GiB); those that need somebody three times as long",
    ),
}

/** Options that only `medusa-config.ts` can say. */
export const CODE_OPTIONS = {
  connections: z
    .array(declaredConnection)
    .default([])
    .describe(
      "connections declared in code, shown read-only in the admin; the address of a webhook derives from the `name`, which is unique: `{name, pageUid, baseUrl, apiToken, salesChannelId, regionId, storefrontUrl, pricesIncludeVat?, promotions?, reports?: {on?, needConsent?}, catalog?, feedToken?}`; its webhook is registered in the admin like any other; `promotions` is `allow` (the default) or `exclude`, `reports.on` is `order_placed` (the default) or `payment_captured`, see [when an order is reported](orders.md#when-an-order-is-reported), `catalog` has the [settings of a connection](catalog.md#settings-of-a-connection), `feedToken` (32 characters at least) opens its [feed](catalog.md#the-feed)",
    ),
  mapProduct: code<ProductMapper>().describe(
    "[your own change](catalog.md#your-own-mapper) of what is sent of a product",
  ),
  reportFields: code<ReportFields>().describe(
    "a function that returns further fields for the report of an order; see [orders](orders.md#what-the-service-is-told)",
  ),
  readCampaignPrice: code<(answer: unknown) => GivenPrice | null | undefined>().describe(
    "your own reader of the service's price answer: `(answer) => ({amount, currency?, vat?: {rate?, included?}, discount?})`, or `null` where it is no price",
  ),
}

const fields = z.strictObject({ ...TEXT_OPTIONS, ...CODE_OPTIONS })

/** `backendUrl` is `SVC_BACKEND_URL`. */
export const environmentName = (option: string): string =>
  `SVC_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/**
 * A declared connection is checked like one that is made in the admin: its address, and one connection of a page at an
 * address and in a sales channel.
 */
const schema = fields.transform((options, context) => {
  const seen = new Set<string>()
  const names = new Set<string>()
  const connections = options.connections.map((connection, index) => {
    const problem = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: ["connections", index, field], message })
    // Its id, and with it the address of its webhook, derives from the name.
    if (names.has(connection.name)) problem("name", "another declared connection has this name")
    names.add(connection.name)
    const address = checkServiceUrl(connection.baseUrl, options.allowInsecureUrls)
    if (!address.ok) {
      problem("baseUrl", address.problem.message)
      return connection
    }
    const { pageUid, salesChannelId } = connection
    const places = [address.url, salesChannelId].map((place) => `${pageUid} ${place}`)
    if (places.some((place) => seen.has(place))) problem("pageUid", "this page is declared already")
    for (const place of places) seen.add(place)
    return { ...connection, baseUrl: address.url }
  })
  return { ...options, connections }
})

export type SvcOptions = z.infer<typeof schema>

/** What the options say of prices. */
export const pricePolicy = (options: SvcOptions): PricePolicy => ({
  priceHoldMs: options.priceHoldMinutes * 60_000,
  paymentHoldMs: options.paymentHoldMinutes * 60_000,
  whenCatalogIsCheaper: options.whenCatalogIsCheaper,
  minPriceShare: options.minPriceShare,
})

/** Reads the plugin's options; an option wins over its environment variable. */
export function readOptions(
  options: Record<string, unknown> | undefined,
  env: NodeJS.ProcessEnv = process.env,
): SvcOptions {
  // Medusa's migration commands put the connection settings of the database beside a module's own options.
  const given = Object.fromEntries(
    Object.entries(options ?? {}).filter(
      ([name, value]) => value !== undefined && name !== "database",
    ),
  )
  // An empty variable is one that is not set.
  const fromEnvironment = Object.fromEntries(
    Object.keys(TEXT_OPTIONS).map((name) => [name, env[environmentName(name)] || undefined]),
  )
  const parsed = schema.safeParse({ ...fromEnvironment, ...given })
  if (parsed.success) return parsed.data
  // Names and rules only: the values may be tokens and keys.
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "options"}: ${issue.message}`,
  )
  throw new MedusaError(
    MedusaError.Types.INVALID_ARGUMENT,
    `medusa-plugin-svc: the options are not valid (${problems.join("; ")}). See docs/options.md.`,
  )
}
