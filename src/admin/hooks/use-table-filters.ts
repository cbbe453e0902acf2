import type { DataTableFilter } from "@medusajs/ui"
import { useTranslation } from "react-i18next"
import { useSearchParams } from "react-router-dom"
import type { Query } from "../lib/client"
import { formatDate, formatNumber } from "../lib/format"
import { daysAgo, readTimeSpan } from "../lib/time-span"
import type { OrderedCampaign, ReasonCount } from "../lib/types"
import { useAnswer } from "./api/request"
import { useConnectionNames } from "./use-connection-names"
import { TEXTS, type TextKey, useText } from "./use-text"

/** What a table can be narrowed by; several values of one filter at once. */
export type Filter = {
  /** As it stands in the address, and as the list's route takes it. */
  name: string
  label: TextKey
} /** A value without a word is a name that is the same in every language. */ & (
  | { kind: "values"; values: readonly { value: string; word?: TextKey }[] }
  /** A span of time: one of the usual ones, or from a day to a day. It is asked for as `from` and `to`. */
  | { kind: "span" }
  /** Why a product is not as it should be, with how many are so. */
  | { kind: "reasons" }
  /** Campaigns that orders came from: by the name of the show and, because shows are called alike, the day of its last order. */
  | { kind: "campaigns" }
  /** Stands where there is one only, too: Medusa's table fails where a filter goes that the address still had before. */
  | { kind: "connections" }
)

type Option = { value: string; label: string }

/** The spans of time that Medusa's own tables offer; their words are Medusa's too. */
const SPANS = [
  ["filters.date.today", 0],
  ["filters.date.lastSevenDays", 7],
  ["filters.date.lastThirtyDays", 30],
  ["filters.date.lastNinetyDays", 90],
  ["filters.date.lastTwelveMonths", 365],
] as const

/** Filters of one table as Medusa's shows them. */
export function useTableFilters(filters: readonly Filter[], query: Query): DataTableFilter[] {
  const { t, locale } = useText()
  const { t: medusa } = useTranslation()
  const { t: named } = useTranslation(TEXTS)
  const { connections, nameOf } = useConnectionNames()
  const has = (wanted: Filter["kind"]) => filters.some(({ kind }) => kind === wanted)
  const { connection_id, state } = query
  const { data: counted } = useAnswer<{ reasons: ReasonCount[] }>("/products/reasons", {
    query: { connection_id, state },
    enabled: has("reasons"),
    keep: true,
  })
  const campaigns = listOf(query.campaign_uid)
  const { data: ordered } = useAnswer<{ campaigns: OrderedCampaign[] }>("/orders/campaigns", {
    query: { campaign_uid: campaigns },
    enabled: has("campaigns"),
    keep: true,
  })

  const optionsOf = (filter: Filter): Option[] => {
    switch (filter.kind) {
      case "values":
        return filter.values.map(({ value, word }) => ({ value, label: word ? t(word) : value }))
      case "connections":
        return withChosen(
          query[filter.name],
          connections.map(({ id }) => id),
        ).map((value) => ({ value, label: nameOf(value) || value }))
      case "reasons": {
        const counts = new Map(counted?.reasons.map(({ code, count }) => [code, count]))
        return withChosen(query.reason_code, [...counts.keys()]).map((value) => ({
          value,
          label: t("products.reasonCount", {
            // One that is of a whole connection has no name here.
            reason: String(named(`products.reasonNames.${value}`, { defaultValue: value })),
            count: formatNumber(counts.get(value) ?? 0, locale),
          }),
        }))
      }
      case "campaigns": {
        const labels = new Map(
          ordered?.campaigns.map(({ campaign_uid: uid, name, last_placed_at }) => [
            uid,
            `${name || uid}, ${formatDate(last_placed_at, locale)}`,
          ]),
        )
        return withChosen(campaigns, [...labels.keys()]).map((value) => ({
          value,
          label: labels.get(value) ?? value,
        }))
      }
      case "span":
        return []
    }
  }

  return filters.map((filter) => {
    const shown = { id: filter.name, label: t(filter.label) }
    if (filter.kind !== "span") {
      return { ...shown, type: "multiselect", options: optionsOf(filter) }
    }
    return {
      ...shown,
      type: "date",
      format: "date",
      formatDateValue: (date: Date) => formatDate(date.toISOString(), locale),
      rangeOptionLabel: medusa("filters.date.custom"),
      rangeOptionStartLabel: medusa("filters.date.starting"),
      rangeOptionEndLabel: medusa("filters.date.ending"),
      options: SPANS.map(([words, days]) => ({
        label: medusa(words),
        value: { $gte: daysAgo(days).toISOString() },
      })),
    }
  })
}

const listOf = (value: Query[string]): string[] =>
  value === undefined ? [] : [value].flat().map(String)

/** One that is in the address, but that nothing has any more, stays to be taken out. */
const withChosen = (chosen: Query[string], values: string[]): string[] => [
  ...new Set([...values, ...listOf(chosen)]),
]

function readFilter(value: string): string[] {
  try {
    const parsed: unknown = JSON.parse(value)
    return [parsed].flat().map(String)
  } catch {
    return [value]
  }
}

export const PAGE_SIZE = 20

/**
 * What the table's part of the address asks for, as the plugin's lists take it.
 *
 * @param order the order that a list has before a person chooses one
 */
export function useTableQuery(filters: readonly Filter[], order?: string): Query {
  const [params] = useSearchParams()
  const query: Query = {
    limit: PAGE_SIZE,
    offset: Number(params.get("offset")) || 0,
    order: params.get("order") ?? order,
    q: params.get("q") || undefined,
  }
  for (const { name, kind } of filters) {
    const value = params.get(name)
    if (kind === "span") Object.assign(query, readTimeSpan(value))
    else if (value) {
      const chosen = readFilter(value)
      if (chosen.length > 0) query[name] = chosen
    }
  }
  return query
}
