/** Connections that are declared in `medusa-config.ts`: what their rows hold, and which row is whose. Pure. */
import { isDeepStrictEqual } from "node:util"
import { z } from "zod"
import { serviceId } from "../../../contract"
import { feedTokenHash } from "../catalog/feed-token"
import { catalogSettings } from "../catalog/settings"
import type { Connection } from "../models"
import { type ReportSettings, reportSettings } from "../orders/report-settings"
import { declaredConnectionId } from "./declared-id"
import { apiToken, urlWithoutQuery } from "./input"

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

/** What a declared connection says of its reports. */
const declaredReports = z.strictObject({
  on: reportSettings.shape.report_on.optional(),
  needConsent: z.boolean().optional(),
})

/** A connection as the option `connections` declares it. */
export const declaredConnection = z.strictObject({
  name: z.string().min(1),
  pageUid: z.string().trim().pipe(serviceId),
  baseUrl: z.string().min(1),
  apiToken: apiToken.min(1),
  salesChannelId: z.string().min(1),
  regionId: z.string().min(1),
  storefrontUrl: urlWithoutQuery,
  pricesIncludeVat: z.boolean().default(true),
  promotions: z.enum(["allow", "exclude"]).optional(),
  reports: declaredReports.optional(),
  /** What is sent of products, and how. */
  catalog: z.preprocess(inSnakeCase, catalogSettings.optional()),
  /** Opens the shopping feed under this token. */
  feedToken: z.string().min(32).optional(),
})
type Declared = z.infer<typeof declaredConnection>
type DeclaredPlace = Pick<Declared, "pageUid" | "baseUrl">

/** What the row of a declared connection holds. The token itself stays in the options: a copy is of no use. */
export const declaredColumns = (declared: Declared, tokenFingerprint: string) => ({
  name: declared.name,
  page_uid: declared.pageUid,
  base_url: declared.baseUrl,
  sales_channel_id: declared.salesChannelId,
  region_id: declared.regionId,
  storefront_url: declared.storefrontUrl,
  prices_include_vat: declared.pricesIncludeVat,
  promotions: declared.promotions ?? "allow",
  report_settings: reportColumn(declared),
  catalog: declared.catalog ?? null,
  feed_token_hash: declared.feedToken ? feedTokenHash(declared.feedToken) : null,
  // When somebody opened it in the admin is no news of this one.
  feed_token_created_at: null,
  api_token: null,
  api_token_fingerprint: tokenFingerprint,
  managed_by: "environment" as const,
})

/**
 * Whether a row is what is declared, and not what another list says of the connection. Each process has the token of its own
 * list, and without a key another fingerprint of it.
 */
export const isAsDeclared = (
  row: Connection,
  { api_token_fingerprint: _ofToken, ...columns }: ReturnType<typeof declaredColumns>,
) =>
  Object.entries(columns).every(([name, value]) =>
    // As JSON gives it back: what is undefined is not there.
    isDeepStrictEqual(row[name as keyof Connection], JSON.parse(JSON.stringify(value))),
  )

/** As the column has it; null where the declaration says nothing. */
function reportColumn({ reports }: Declared): ReportSettings | null {
  return reports ? { report_on: reports.on, needs_consent: reports.needConsent } : null
}

type Place = Pick<Connection, "page_uid" | "base_url">

/** Whether a row has the page that is declared. */
export const isOf = (row: Place, { pageUid, baseUrl }: DeclaredPlace): boolean =>
  pageUid === row.page_uid && baseUrl === row.base_url

/** The declaration that a row was made for; undefined for one that is managed in the admin. */
export const declarationOf = <Declaration extends DeclaredPlace>(
  row: Place & Pick<Connection, "managed_by">,
  all: Declaration[],
): Declaration | undefined =>
  row.managed_by === "environment" ? all.find((declared) => isOf(row, declared)) : undefined

type NamedPlace = DeclaredPlace & Pick<Declared, "name" | "salesChannelId">
type DeclaredRow = Place & Pick<Connection, "id" | "sales_channel_id" | "managed_by" | "status">

/**
 * The row of a declaration: that of its page, whoever made it, with its history: the option wins. A page has one in a sales
 * channel, so it is also that which is there at another address. Else the one that its name was declared with before. Unless
 * another declaration has that row's page, or its name, now: no two have one row.
 */
export function rowOf<Row extends DeclaredRow>(
  declared: NamedPlace,
  all: NamedPlace[],
  rows: Row[],
): Row | undefined {
  const { name, pageUid, salesChannelId } = declared
  const free = rows.filter(
    (row) =>
      !all.some(
        (other) =>
          isOf(row, other) || (other.name !== name && row.id === declaredConnectionId(other.name)),
      ),
  )
  return (
    rows.find((row) => isOf(row, declared)) ??
    free.find((row) => row.page_uid === pageUid && row.sales_channel_id === salesChannelId) ??
    free.find(
      (row) =>
        row.id === declaredConnectionId(name) &&
        (row.managed_by === "environment" || row.status === "undeclared"),
    )
  )
}
