/** Connections that are declared in `medusa-config.ts`: what their rows hold, and which row is whose. Pure. */
import { feedTokenHash } from "../catalog/feed-token"
import type { CatalogSettings } from "../catalog/settings"
import type { Connection } from "../models"
import type { ReportSettings } from "../orders/report-settings"
import { declaredConnectionId } from "./declared-id"

type DeclaredPlace = { pageUid: string; baseUrl: string }

/** A connection as the option `connections` declares it. */
type Declared = DeclaredPlace & {
  name: string
  apiToken: string
  salesChannelId: string
  regionId: string
  storefrontUrl: string
  pricesIncludeVat: boolean
  promotions?: Connection["promotions"] | undefined
  reports?:
    | {
        on?: ReportSettings["report_on"]
        needConsent?: boolean | undefined
      }
    | undefined
  catalog?: CatalogSettings | undefined
  feedToken?: string | undefined
}

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
  report_settings: reportSettings(declared),
  catalog: declared.catalog ?? null,
  feed_token_hash: declared.feedToken ? feedTokenHash(declared.feedToken) : null,
  api_token: null,
  api_token_fingerprint: tokenFingerprint,
  managed_by: "environment" as const,
})

/** As the column has it; null where the declaration says nothing. */
function reportSettings({ reports }: Declared): ReportSettings | null {
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

/**
 * The row of a declaration: that of its page, whoever made it, with its history: the option wins. Else the one that its
 * name was declared with before, unless another declaration has that row's page now.
 */
export function rowOf(
  declared: Pick<Declared, "name" | "pageUid" | "baseUrl">,
  all: DeclaredPlace[],
  rows: Connection[],
): Connection | undefined {
  return (
    rows.find((row) => isOf(row, declared)) ??
    rows.find(
      (row) =>
        row.id === declaredConnectionId(declared.name) &&
        (row.managed_by === "environment" || row.status === "undeclared") &&
        !all.some((other) => isOf(row, other)),
    )
  )
}
