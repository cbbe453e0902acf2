import type { Connection, ConnectionInput, RuleKind } from "../../../../lib/types"

export const RULE_KINDS = [
  "category_ids",
  "collection_ids",
  "tag_ids",
  "type_ids",
] as const satisfies RuleKind[]
type Rule = Record<RuleKind, string[]>

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
const settingsOf = ({ catalog }: Connection): Settings => catalog ?? {}

const ruleOf = (rule: Settings["include"]): Rule => ({
  category_ids: rule?.category_ids ?? [],
  collection_ids: rule?.collection_ids ?? [],
  tag_ids: rule?.tag_ids ?? [],
  type_ids: rule?.type_ids ?? [],
})

export function sentValuesOf(connection: Connection): SentValues {
  const catalog = settingsOf(connection)
  const reports: NonNullable<ConnectionInput["report_settings"]> = connection.report_settings
  return {
    push: catalog.push ?? true,
    country_code: catalog.country_code ?? AUTOMATIC,
    locale: catalog.locale ?? "",
    product_url_template: catalog.product_url_template ?? "",
    include: ruleOf(catalog.include),
    exclude: ruleOf(catalog.exclude),
    report_on: reports.report_on ?? "order_placed",
    needs_consent: reports.needs_consent ?? false,
  }
}

/** A rule without anything in it is none; one by metadata, which only the API sets, stays. */
function changedRule(chosen: Rule, before: Settings["include"]): Settings["include"] {
  const lists = RULE_KINDS.filter((kind) => chosen[kind].length > 0)
  if (lists.length === 0 && !before?.metadata) return null
  return {
    ...Object.fromEntries(lists.map((kind) => [kind, chosen[kind]])),
    ...(before?.metadata ? { metadata: before.metadata } : {}),
  }
}

export function sentBodyOf(values: SentValues, connection: Connection): Partial<ConnectionInput> {
  const before = settingsOf(connection)
  return {
    catalog: {
      push: values.push,
      country_code: values.country_code === AUTOMATIC ? null : values.country_code,
      locale: values.locale.trim() || null,
      product_url_template: values.product_url_template.trim() || null,
      include: changedRule(values.include, before.include),
      exclude: changedRule(values.exclude, before.exclude),
    },
    report_settings: { report_on: values.report_on, needs_consent: values.needs_consent },
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
