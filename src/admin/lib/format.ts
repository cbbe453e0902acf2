/** Medusa names languages `en`, `de`, `enGB`, `ptBR`; `Intl` wants `en-GB`. */
export function localeOf(language: string | undefined): string {
  const tag = (language ?? "en").replace(/^([a-z]{2})([A-Z]{2})$/, "$1-$2")
  return Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? tag : "en"
}

export const formatNumber = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)

/** `share` is 0 to 1. */
export const formatPercent = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share)

/** `amount` is in major units, as Medusa's are. */
export const formatMoney = (amount: number, currencyCode: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency: currencyCode }).format(amount)

/** A price that may not be known, in a currency that may not be either. */
export function formatPrice(
  amount: number | null,
  currencyCode: string | null | undefined,
  locale: string,
): string {
  if (amount === null) return "-"
  return currencyCode ? formatMoney(amount, currencyCode, locale) : formatNumber(amount, locale)
}

export const formatDateTime = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso))

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** A sentence of the server with its moments, which are in ISO 8601, as people write them. */
export const withTimes = (sentence: string, locale: string): string =>
  sentence.replace(MOMENT, (iso) => formatDateTime(iso, locale))

/** What a database or the service said, with which a sentence may end, often has no full stop, and another sentence follows. */
export const withFullStop = (sentence: string): string =>
  /[\p{L}\p{N})]$/u.test(sentence) ? `${sentence}.` : sentence

export const formatHour = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { hour: "numeric" }).format(new Date(iso))

/** Without its year. */
export const formatDay = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(new Date(iso))

export const formatDate = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(new Date(iso))

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

/** "3 minutes ago", "in 2 hours"; below a minute in seconds. */
export function formatRelative(iso: string, locale: string, now: number = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000)
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ["second", 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(
    Math.trunc(seconds / size),
    unit,
  )
}

/** "1 hr 2 min", "1 min 15 sec", "40 sec": the two largest units, and no seconds beside hours. */
export function formatDuration(seconds: number, locale: string): string {
  const whole = Math.ceil(seconds)
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor((whole % 3600) / 60), "minute"],
    [whole >= 3600 ? 0 : whole % 60, "second"],
  ]
  const shown = parts.filter(([value]) => value > 0)
  return (shown.length > 0 ? shown : [[0, "second"] as const])
    .map(([value, unit]) =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value),
    )
    .join(" ")
}
