import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useTranslation } from "react-i18next"
import type { Query } from "../lib/client"
import { formatDate, formatNumber } from "../lib/format"
import { daysAgo } from "../lib/time-span"
import { useOrderedCampaigns } from "./api/orders"
import { useReasonCounts } from "./api/products"
import type { ConnectionNames } from "./use-connection-names"
import { TEXTS, type TextKey, useText } from "./use-text"

const helper = createDataTableFilterHelper<Record<string, unknown>>()

type Option = { value: string; label: string }

function useOptionsFilter(name: string, label: TextKey, options: Option[]) {
  const { t } = useText()
  return useMemo(
    () => helper.accessor(name, { type: "multiselect", label: t(label), options }),
    [t, name, label, options],
  )
}

/** Filter by one of a few names that are the same in every language, several at once. */
export function useNameFilter(name: string, label: TextKey, names: readonly string[]) {
  const options = useMemo(() => names.map((value) => ({ value, label: value })), [names])
  return useOptionsFilter(name, label, options)
}

/** Filter by one of a few words, several at once. */
export function useChoiceFilter<Value extends string>(
  name: string,
  label: TextKey,
  values: readonly Value[],
  word: (value: Value) => TextKey,
) {
  const { t } = useText()
  const options = useMemo(
    () => values.map((value) => ({ value, label: t(word(value)) })),
    [t, values, word],
  )
  return useOptionsFilter(name, label, options)
}

/**
 * Filter by why a product is not as it should be. Each reason has its count in its name; one that is in the address, but
 * that no product has any more, stays to be taken out.
 */
export function useReasonFilter(query: Query) {
  const { t, locale } = useText()
  const { t: named } = useTranslation(TEXTS)
  const { data } = useReasonCounts(query)
  const chosen = [query.reason_code ?? []].flat().join("\n")
  return useMemo(() => {
    const counts = new Map(data?.reasons.map(({ code, count }) => [code, count]))
    for (const code of chosen.split("\n")) if (code && !counts.has(code)) counts.set(code, 0)
    // A code that the service itself gave has no name of ours.
    const nameOf = (code: string) =>
      String(named(`products.reasonNames.${code}`, { defaultValue: code }))
    return helper.accessor("reason_code", {
      type: "multiselect",
      label: t("products.columns.reason"),
      options: [...counts].map(([value, count]) => ({
        value,
        label: t("products.reasonCount", {
          reason: nameOf(value),
          count: formatNumber(count, locale),
        }),
      })),
    })
  }, [t, named, locale, data, chosen])
}

/**
 * Filter by the campaign that orders came from, by the name of its show and, because shows are called alike, the day of its
 * last order.
 */
export function useCampaignFilter(query: Query) {
  const { locale } = useText()
  const chosen = [query.campaign_uid ?? []].flat().map(String)
  const { data } = useOrderedCampaigns(chosen)
  const inAddress = chosen.join("\n")
  const options = useMemo(() => {
    const labels = new Map(
      data?.campaigns.map(({ campaign_uid, name, last_placed_at }) => [
        campaign_uid,
        `${name || campaign_uid}, ${formatDate(last_placed_at, locale)}`,
      ]),
    )
    // One that is in the address stays to be taken out.
    for (const uid of inAddress.split("\n")) if (uid && !labels.has(uid)) labels.set(uid, uid)
    return [...labels].map(([value, label]) => ({ value, label }))
  }, [data, locale, inAddress])
  return useOptionsFilter("campaign_uid", "orders.columns.campaign", options)
}

/** The spans of time that Medusa's own tables offer; their words are Medusa's too. */
const SPANS = [
  ["filters.date.today", 0],
  ["filters.date.lastSevenDays", 7],
  ["filters.date.lastThirtyDays", 30],
  ["filters.date.lastNinetyDays", 90],
  ["filters.date.lastTwelveMonths", 365],
] as const

/** Filter by a span of time: one of the usual ones, or from a day to a day. `useTableQuery` reads it as `span`. */
export function useDateFilter(name: string, label: TextKey) {
  const { t, locale } = useText()
  const { t: medusa } = useTranslation()
  return useMemo(
    () =>
      helper.accessor(name, {
        type: "date",
        label: t(label),
        format: "date",
        formatDateValue: (date) => formatDate(date.toISOString(), locale),
        rangeOptionLabel: medusa("filters.date.custom"),
        rangeOptionStartLabel: medusa("filters.date.starting"),
        rangeOptionEndLabel: medusa("filters.date.ending"),
        options: SPANS.map(([words, days]) => ({
          label: medusa(words),
          value: { $gte: daysAgo(days).toISOString() },
        })),
      }),
    [t, medusa, locale, name, label],
  )
}

/** Filter by connection, where there is more than one to choose from. */
export function useConnectionFilter({ connections, several }: ConnectionNames) {
  const { t } = useText()
  return useMemo(
    () =>
      several
        ? [
            helper.accessor("connection_id", {
              type: "multiselect",
              label: t("products.columns.connection"),
              options: connections.map(({ id, name }) => ({ value: id, label: name })),
            }),
          ]
        : [],
    [t, connections, several],
  )
}
