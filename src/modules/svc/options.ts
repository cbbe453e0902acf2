import { MedusaError } from "@medusajs/framework/utils"
import { z } from "zod"
import { checkServiceUrl } from "../../client"
import {
  DEFAULT_TOLERANCE_MS,
  type GivenPrice,
  PRODUCT_STATUS,
  PUSH_BATCH_SIZE,
  pathId,
} from "../../contract"
import type { PricePolicy } from "./cart/price-policy"
import type { ProductMapper } from "./catalog/product-mapper"
import { catalogSettings } from "./catalog/settings"
import type { ReportFields } from "./orders/report-fields"

const httpUrl = z.url({ protocol: /^https?$/ })

/** Options are written in camel case, rows in snake case; a metadata key stays as it is. */
function inSnakeCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === "metadata" ? inner : inSnakeCase(inner),
    ]),
  )
}

const reportOn = z.enum(["order_placed", "payment_captured"])

/** What a declared connection says of its reports; what is absent is as in the options. */
const declaredReports = z.strictObject({
  on: reportOn.optional(),
  needConsent: z.boolean().optional(),
  withoutShowLines: z.boolean().optional(),
  excludeEmails: z.array(z.string().min(1)).optional(),
})

const declaredConnection = z.strictObject({
  name: z.string().min(1),
  pageUid: pathId,
  baseUrl: z.string().min(1),
  apiToken: z.string().min(1),
  salesChannelId: z.string().min(1),
  regionId: z.string().min(1),
  storefrontUrl: httpUrl,
  pricesIncludeVat: z.boolean().default(true),
  reports: declaredReports.optional(),
  /** What is sent of products, and how. */
  catalog: z.preprocess(inSnakeCase, catalogSettings.optional()),
  /** Opens the shopping feed under this token. */
  feedToken: z.string().min(32).optional(),
})
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

const fields = z.strictObject({
  /** `"id:base64,id:base64"`: 32 random bytes each; the first encrypts, all decrypt. */
  encryptionKeys: z.string().optional(),
  /** Accept `http:` and loopback addresses of the service. For development. */
  allowInsecureUrls: flag.default(false),
  /** Public address of this store, under which the service reaches the webhook route. */
  backendUrl: httpUrl.optional(),
  /** Opens `GET /hooks/svc/metrics` to whoever has it; without it there are no metrics. */
  monitoringToken: z.string().min(16).optional(),
  /** HTTP proxy for calls to the service, also for `http:` addresses; without it `HTTPS_PROXY` and `NO_PROXY` count. */
  proxyUrl: z.url({ protocol: /^http$/ }).optional(),
  /** How old or early a delivery's timestamp may be, in seconds; 0 turns the check off (gap 7). */
  webhookToleranceSeconds: numeric(z.number().min(0)).default(DEFAULT_TOLERANCE_MS / 1000),
  /** Largest delivery that is taken, in bytes (gap 17). */
  webhookMaxBytes: numeric(z.number().int().min(1024)).default(1024 * 1024),
  /** Days for which deliveries are kept once they are applied; those that need somebody three times as long. */
  webhookRetentionDays: numeric(z.number().int().min(1)).default(30),
  /** What all kept deliveries may take, in MiB of their bodies; the oldest go first. 0: no limit. */
  webhookRetentionMegabytes: numeric(z.number().int().min(0)).default(1024),
  /** Calls of `POST /products` per second, for each connection, all processes together (gap 22). */
  catalogRequestsPerSecond: numeric(z.number().positive().max(1000)).default(5),
  /** Products in one call of `POST /products` (gap 22). */
  catalogBatchSize: numeric(z.number().int().min(1).max(1000)).default(PUSH_BATCH_SIZE),
  /** `status` of a product that is not for sale any more; only `enabled` is a known value (gap 24). */
  catalogDisabledStatus: z.string().min(1).default(PRODUCT_STATUS.disabled),
  /** When an order is reported: as soon as its payment is authorised, or when it is captured (gap 50). */
  reportOn: reportOn.default("order_placed"),
  /** Hold reports back until the cart or the order has `svc_consent` in its metadata. */
  reportNeedsConsent: flag.default(false),
  /** Report an order in which nothing was sold at a show's price, too. */
  reportWithoutShowLines: flag.default(true),
  /** E-mail addresses whose orders are neither reported nor counted; `*` stands for anything. */
  excludeEmails: texts.default([]),
  /** Sales channels whose orders are neither reported nor counted. */
  excludeSalesChannels: texts.default([]),
  excludeDraftOrders: flag.default(true),
  /** Orders with `svc_test` in their metadata. */
  excludeTestOrders: flag.default(true),
  /** What else than its number the service is told of an order (gap 47): a function of the store's own code. */
  reportFields: z
    .custom<ReportFields>((value) => typeof value === "function", "must be a function")
    .optional(),
  /** Days after which prices and order numbers of carts that were never ordered are forgotten. */
  keepCartRecordsDays: numeric(z.number().int().min(1).max(3650)).default(90),
  /**
   * Days after which order numbers, price proofs and price changes of ordered carts are forgotten, and the calls that
   * reported their orders. The ledger, the attributions and the proven price of each sold line stay.
   */
  keepOrderRecordsDays: numeric(z.number().int().min(30).max(3650)).default(730),
  /** How long a payment's beginning holds its prices, in minutes; 0: not at all (gap 45a). */
  paymentHoldMinutes: numeric(z.number().min(0).max(1440)).default(15),
  /** How long a proven price stays with its line before it is looked up again, in minutes (gap 45a). */
  priceHoldMinutes: numeric(z.number().min(1).max(1440)).default(30),
  /** What is charged where a show's price is above the catalog's. */
  whenCatalogIsCheaper: z.enum(["campaign", "catalog"]).default("campaign"),
  /** What becomes of a product whose price cannot be looked up (gap 36). */
  whenPriceUnavailable: z.enum(["refuse", "catalog", "webhook_price"]).default("refuse"),
  /** The least that a show's price may be, as a share of the catalog price (0.5 is half of it); 0: no floor. */
  minPriceShare: numeric(z.number().min(0).max(1)).default(0),
  /** How long a shopper waits for prices, in milliseconds. */
  lookupTimeoutMs: numeric(z.number().int().min(100).max(10_000)).default(2_000),
  /** Price lookups under way at a time, for each process and connection. */
  lookupConcurrency: numeric(z.number().int().min(1).max(1_000)).default(32),
  /** Price lookups that one address may cause in a minute, where nobody else has just asked; 0: any number. */
  lookupsPerMinute: numeric(z.number().int().min(0).max(1_000_000)).default(600),
  /** Cart actions that one basket may make in a minute; an address twenty times as many; 0: any number. */
  cartActionsPerMinute: numeric(z.number().int().min(0).max(1_000_000)).default(120),
  /** A merchant's own reader of the service's price answer (gap 33). */
  readCampaignPrice: z
    .custom<(answer: unknown) => GivenPrice | null | undefined>(
      (value) => typeof value === "function",
      "must be a function",
    )
    .optional(),
  /** A merchant's own change of what is sent of a product. */
  mapProduct: z
    .custom<ProductMapper>((value) => typeof value === "function", "must be a function")
    .optional(),
  connections: z.array(declaredConnection).default([]),
})

/**
 * A declared connection is checked like one that is made in the admin: its address, and one connection per page and
 * address.
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
    const place = `${connection.pageUid} ${address.url}`
    if (seen.has(place)) problem("pageUid", "this page is declared already")
    seen.add(place)
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
  const parsed = schema.safeParse({
    encryptionKeys: env.SVC_ENCRYPTION_KEYS || undefined,
    allowInsecureUrls: env.SVC_ALLOW_INSECURE_URLS ?? undefined,
    backendUrl: env.SVC_BACKEND_URL || undefined,
    monitoringToken: env.SVC_MONITORING_TOKEN || undefined,
    proxyUrl: env.SVC_PROXY_URL || undefined,
    webhookToleranceSeconds: env.SVC_WEBHOOK_TOLERANCE_SECONDS || undefined,
    webhookMaxBytes: env.SVC_WEBHOOK_MAX_BYTES || undefined,
    webhookRetentionDays: env.SVC_WEBHOOK_RETENTION_DAYS || undefined,
    webhookRetentionMegabytes: env.SVC_WEBHOOK_RETENTION_MEGABYTES || undefined,
    catalogRequestsPerSecond: env.SVC_CATALOG_REQUESTS_PER_SECOND || undefined,
    catalogBatchSize: env.SVC_CATALOG_BATCH_SIZE || undefined,
    catalogDisabledStatus: env.SVC_CATALOG_DISABLED_STATUS || undefined,
    reportOn: env.SVC_REPORT_ON || undefined,
    reportNeedsConsent: env.SVC_REPORT_NEEDS_CONSENT || undefined,
    reportWithoutShowLines: env.SVC_REPORT_WITHOUT_SHOW_LINES || undefined,
    excludeEmails: env.SVC_EXCLUDE_EMAILS || undefined,
    excludeSalesChannels: env.SVC_EXCLUDE_SALES_CHANNELS || undefined,
    excludeDraftOrders: env.SVC_EXCLUDE_DRAFT_ORDERS || undefined,
    excludeTestOrders: env.SVC_EXCLUDE_TEST_ORDERS || undefined,
    keepCartRecordsDays: env.SVC_KEEP_CART_RECORDS_DAYS || undefined,
    keepOrderRecordsDays: env.SVC_KEEP_ORDER_RECORDS_DAYS || undefined,
    paymentHoldMinutes: env.SVC_PAYMENT_HOLD_MINUTES || undefined,
    priceHoldMinutes: env.SVC_PRICE_HOLD_MINUTES || undefined,
    whenCatalogIsCheaper: env.SVC_WHEN_CATALOG_IS_CHEAPER || undefined,
    whenPriceUnavailable: env.SVC_WHEN_PRICE_UNAVAILABLE || undefined,
    minPriceShare: env.SVC_MIN_PRICE_SHARE || undefined,
    lookupTimeoutMs: env.SVC_LOOKUP_TIMEOUT_MS || undefined,
    lookupConcurrency: env.SVC_LOOKUP_CONCURRENCY || undefined,
    lookupsPerMinute: env.SVC_LOOKUPS_PER_MINUTE || undefined,
    cartActionsPerMinute: env.SVC_CART_ACTIONS_PER_MINUTE || undefined,
    ...given,
  })
  if (parsed.success) return parsed.data
  // Names and rules only: the values may be tokens and keys.
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "options"}: ${issue.message}`,
  )
  throw new MedusaError(
    MedusaError.Types.INVALID_ARGUMENT,
    `medusa-plugin-svc: the options are not valid (${problems.join("; ")}). See the README, "Options".`,
  )
}
