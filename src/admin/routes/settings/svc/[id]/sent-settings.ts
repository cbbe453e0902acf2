import { changedFields } from "../../../../lib/changed-fields"
import type { Connection, ConnectionInput, RuleKind } from "../../../../lib/types"

export const RULE_KINDS = [
  "category_ids",
  "collection_ids",
  "tag_ids",
  "type_ids",
] as const satisfies RuleKind[]
/** `metadata`: its entries as JSON, which only the API sets, and a person takes out. */
type Rule = Record<RuleKind | "metadata", string[]>

/** What the form edits: the settings that most connections leave alone. Empty texts are the defaults. */
export type SentValues = {
  push: boolean
  country_code: string
  locale: string
  product_url_template: string
  include: Rule
  exclude: Rule
  report_on: "order_placed" | "payment_captured"
  needs_consent: boolean
}

/** A picker has no empty value. */
export const AUTOMATIC = "auto"

type Settings = NonNullable<ConnectionInput["catalog"]>

const ruleOf = (rule: Settings["include"]): Rule => ({
  category_ids: rule?.category_ids ?? [],
  collection_ids: rule?.collection_ids ?? [],
  tag_ids: rule?.tag_ids ?? [],
  type_ids: rule?.type_ids ?? [],
  metadata: Object.entries(rule?.metadata ?? {}).map((entry) => JSON.stringify(entry)),
})

type Option = { id: string; name: string }

/**
 * What a field of a rule offers; undefined while the store's list is not there. Also what is stored and not in that list, as what was
 * deleted: it goes on deciding what is sent, and nobody could see it or take it out.
 */
export const optionsOf = (listed: Option[] | undefined, stored: string[]): Option[] | undefined =>
  listed && [
    ...listed,
    ...stored.filter((id) => !listed.some((one) => one.id === id)).map((id) => ({ id, name: id })),
  ]

/** An entry of a rule by metadata, as people read it. */
export const metadataEntry = (entry: string): string => JSON.parse(entry).join(" = ")

/** Of what cannot be read it has what sends less: nothing is sent by it before a person has looked. */
export function sentValuesOf(
  connection: Pick<Connection, "catalog" | "report_settings">,
): SentValues {
  const catalog: Settings = connection.catalog ?? {}
  const reports: NonNullable<ConnectionInput["report_settings"]> = connection.report_settings
  const { report_on = "order_placed" } = reports
  return {
    push: (catalog.push ?? true) === true,
    country_code: catalog.country_code ?? AUTOMATIC,
    locale: catalog.locale ?? "",
    product_url_template: catalog.product_url_template ?? "",
    include: ruleOf(catalog.include),
    exclude: ruleOf(catalog.exclude),
    report_on: report_on === "order_placed" ? report_on : "payment_captured",
    needs_consent: (reports.needs_consent ?? false) !== false,
  }
}

/** A rule without anything in it is none. */
function chosenRule(chosen: Rule): Settings["include"] {
  const lists = RULE_KINDS.filter((kind) => chosen[kind].length > 0)
  const { metadata } = chosen
  if (lists.length + metadata.length === 0) return null
  return {
    ...Object.fromEntries(lists.map((kind) => [kind, chosen[kind]])),
    ...(metadata.length > 0
      ? { metadata: Object.fromEntries(metadata.map((entry) => JSON.parse(entry))) }
      : {}),
  }
}

const catalogOf = (of: SentValues): Settings => ({
  push: of.push,
  country_code: of.country_code === AUTOMATIC ? null : of.country_code,
  locale: of.locale.trim() || null,
  product_url_template: of.product_url_template.trim() || null,
  include: chosenRule(of.include),
  exclude: chosenRule(of.exclude),
})
const reportsOf = ({ report_on, needs_consent }: SentValues) => ({ report_on, needs_consent })

/** What a row holds, also what cannot be read. Of what is no settings at all, nothing: then all of them are sent. */
const heldOf = (stored: unknown, defaults: object): object =>
  typeof stored === "object" && !Array.isArray(stored) ? { ...defaults, ...stored } : {}

/**
 * The body of the request: what differs from what the connection's row holds. That is not always what the form began with:
 * what cannot be read stands in no field, and is mended where the form is saved.
 */
export function sentChangesOf(
  values: SentValues,
  { catalog: held, report_settings: heldReports }: Pick<Connection, "catalog" | "report_settings">,
): Partial<ConnectionInput> {
  const defaults = sentValuesOf({ catalog: null, report_settings: {} })
  const catalog = changedFields(catalogOf(values), heldOf(held, catalogOf(defaults)))
  const report_settings = changedFields(reportsOf(values), heldOf(heldReports, reportsOf(defaults)))
  return {
    ...(Object.keys(catalog).length > 0 ? { catalog } : {}),
    ...(Object.keys(report_settings).length > 0 ? { report_settings } : {}),
  }
}

/** The address that a product's link would be, for a product that everybody has. */
export function exampleLink(storefront: string, template: string, locale: string): string {
  const path = (template.trim() || "/products/{handle}")
    .replaceAll("{handle}", "blue-mug")
    .replaceAll("{id}", "prod_123")
    .replaceAll("{locale}", locale.trim())
  return /^https?:/.test(path) ? path : `${storefront}/${path.replace(/^\/+/, "")}`
}
