import { MedusaError } from "@medusajs/framework/utils"
import { z } from "zod"
import { DEFAULT_TOLERANCE_MS, PUSH_BATCH_SIZE, pathId } from "../../contract"

const declaredConnection = z.strictObject({
  name: z.string().min(1),
  pageUid: pathId,
  baseUrl: z.string().min(1),
  apiToken: z.string().min(1),
  salesChannelId: z.string().min(1),
  regionId: z.string().min(1),
  storefrontUrl: z.url(),
  pricesIncludeVat: z.boolean().default(true),
})
/** A connection that is declared in `medusa-config.ts`; the admin shows it read-only. */
export type DeclaredConnection = z.infer<typeof declaredConnection>

const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0", ""])])
  .transform((value) => (typeof value === "boolean" ? value : value === "true" || value === "1"))

const schema = z.strictObject({
  /** `"id:base64,id:base64"`: 32 random bytes each; the first encrypts, all decrypt. */
  encryptionKeys: z.string().optional(),
  /** Accept `http:` and loopback addresses of the service. For development. */
  allowInsecureUrls: flag.default(false),
  /** Public address of this store, under which the service reaches the webhook route. */
  backendUrl: z.url().optional(),
  /** How old or early a delivery's timestamp may be, in seconds; 0 turns the check off (gap 7). */
  webhookToleranceSeconds: z.coerce
    .number()
    .min(0)
    .default(DEFAULT_TOLERANCE_MS / 1000),
  /** Largest delivery that is taken, in bytes (gap 17). */
  webhookMaxBytes: z.coerce
    .number()
    .int()
    .min(1024)
    .default(1024 * 1024),
  /** Calls of `POST /products` per second, for each process and connection (gap 22). */
  catalogRequestsPerSecond: z.coerce.number().positive().max(1000).default(5),
  /** Products in one call of `POST /products` (gap 22). */
  catalogBatchSize: z.coerce.number().int().min(1).max(1000).default(PUSH_BATCH_SIZE),
  connections: z.array(declaredConnection).default([]),
})

export type SvcOptions = z.infer<typeof schema>

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
    webhookToleranceSeconds: env.SVC_WEBHOOK_TOLERANCE_SECONDS || undefined,
    webhookMaxBytes: env.SVC_WEBHOOK_MAX_BYTES || undefined,
    catalogRequestsPerSecond: env.SVC_CATALOG_REQUESTS_PER_SECOND || undefined,
    catalogBatchSize: env.SVC_CATALOG_BATCH_SIZE || undefined,
    ...given,
  })
  if (parsed.success) return parsed.data
  // Paths and rules only: the values may be tokens and keys.
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "options"}: ${issue.message}`,
  )
  throw new MedusaError(
    MedusaError.Types.INVALID_ARGUMENT,
    `medusa-plugin-svc: the options are not valid (${problems.join("; ")}). See the README, "Options".`,
  )
}
