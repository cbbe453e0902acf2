/** What a connection sends of products, and how: the settings that every connection may have and most leave alone. */
import { z } from "zod"
import { canonicalJson } from "../../../contract"
import { SvcRefusal } from "../shared/refusal"
import { readStored, settingUnreadable } from "../shared/stored-settings"

const ids = z.array(z.string().min(1).max(200)).max(1_000)

/** Products by what they belong to. A product matches a rule when it matches any entry of any list. */
const rule = z.strictObject({
  collection_ids: ids.optional(),
  category_ids: ids.optional(),
  tag_ids: ids.optional(),
  type_ids: ids.optional(),
  /** Values by key of the product's metadata; compared as text. */
  metadata: z.record(z.string().min(1).max(200), z.string().max(500)).optional(),
})
export type ProductRule = z.infer<typeof rule>

const placeholders = /\{(\w*)\}/g
const KNOWN_PLACEHOLDERS = new Set(["handle", "id", "locale"])

const urlTemplate = z
  .string()
  .trim()
  .max(1_000)
  .refine((text) => /\{(handle|id)\}/.test(text), "must have {handle} or {id}")
  .refine(
    (text) =>
      [...text.matchAll(placeholders)].every(([, name]) => KNOWN_PLACEHOLDERS.has(name ?? "")),
    "may have {handle}, {id} and {locale} only",
  )
  .refine((text) => {
    try {
      return /^https?:$/.test(new URL(text, "https://storefront.example/").protocol)
    } catch {
      return false
    }
  }, "must be an address, or a path of the storefront")

const fields = {
  /** Products are sent to the service. Off where the service reads the feed instead (interface §1). */
  push: z.boolean(),
  /** BCP 47, as the store's translations have it; null sends the products' own texts. */
  locale: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag such as da-DK")
    .nullable(),
  /** Which of the region's countries taxes are read for; null takes the only one, or the first that has taxes. */
  country_code: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters")
    .transform((code) => code.toLowerCase())
    .nullable(),
  /** Where a product's page is: an address, or a path of the storefront. Null: `/products/{handle}`. */
  product_url_template: urlTemplate.nullable(),
  /** Only products that match are sent. */
  include: rule.nullable(),
  /** Products that match are not sent, whatever `include` says. */
  exclude: rule.nullable(),
}

export const catalogSettings = z.strictObject({
  push: fields.push.default(true),
  locale: fields.locale.default(null),
  country_code: fields.country_code.default(null),
  product_url_template: fields.product_url_template.default(null),
  include: fields.include.default(null),
  exclude: fields.exclude.default(null),
})
export type CatalogSettings = z.infer<typeof catalogSettings>

/** A change of some of them: without the defaults, which would put back what the change does not name. */
export const catalogChanges = z.strictObject(fields).partial()

/** Settings as a connection's row holds them; null is none. Which products are sent is never guessed. */
export const readCatalogSettings = (
  stored: unknown,
): { settings: CatalogSettings; unreadable: string | null } =>
  readStored("catalog", stored, catalogSettings, ["push", "include", "exclude"])

/** @throws SvcRefusal `setting_unreadable` where more might be sent than was asked for */
export function requireCatalogSettings(stored: unknown): CatalogSettings {
  const { settings, unreadable } = readCatalogSettings(stored)
  if (unreadable) throw new SvcRefusal("setting_unreadable", settingUnreadable(unreadable).message)
  return settings
}

/** Columns of a connection that every payload, or whom it is sent to, depends on. */
const DECISIVE = [
  "base_url",
  "page_uid",
  "region_id",
  "sales_channel_id",
  "storefront_url",
  "prices_include_vat",
  "catalog",
] as const

/** SQL: the same columns of a row `connection`, as one short text. */
export const SETTINGS = `md5(ROW(${DECISIVE.map((name) => `connection.${name}`).join(", ")})::text)`

type Decisive = Record<(typeof DECISIVE)[number], unknown>

/** Whether all products of a connection may read differently now, or have another one to read them. */
export const changesCatalog = (before: Decisive, after: Decisive): boolean =>
  DECISIVE.some((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
