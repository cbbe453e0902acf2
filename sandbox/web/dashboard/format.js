/** Times and values as people read them. Times are ms since the epoch, on the sandbox's clock. */

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" })
const TIME = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
})
const MINUTE = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
})

const YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" })

const day = (ms) =>
  (new Date(ms).getFullYear() === new Date().getFullYear() ? DAY : YEAR).format(ms)

export const clockTime = (ms) => TIME.format(ms)
export const dayAndTime = (ms) => `${day(ms)}, ${MINUTE.format(ms)}`
export const dayAndSecond = (ms) => `${day(ms)}, ${TIME.format(ms)}`

const STEPS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
]

/** `3 min ago`, `in 2 h`, `just now` */
export function relative(ms, now) {
  const text = duration(Math.abs(ms - now))
  if (Math.abs(ms - now) < 2000) {
    return "just now"
  }
  return ms < now ? `${text} ago` : `in ${text}`
}

export function duration(ms) {
  const [size, unit] = STEPS.find(([size]) => ms >= size) ?? [1, "ms"]
  return `${Math.round(ms / size)} ${unit}`
}

/** For `<input type="datetime-local">`, in the reader's own time zone. */
export function localInput(ms) {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16)
}

export const percent = (part, whole) => (whole > 0 ? `${Math.round((part / whole) * 100)} %` : "–")

export const plural = (count, one, many = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Text that is JSON is laid out; anything else is left as it came. */
export function pretty(text) {
  try {
    return JSON.stringify(typeof text === "string" ? JSON.parse(text) : text, null, 2)
  } catch {
    return String(text ?? "")
  }
}

export const inline = (value) =>
  value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value)

/** What a pushed product says of its stock, or its variants together where it is they who say it. */
export function stock({ manageStock, inventory, variants }) {
  if (manageStock === false) {
    return "not counted"
  }
  const counts = typeof inventory === "number" ? [inventory] : (variants ?? []).map(inventoryOf)
  const known = counts.filter((count) => count !== undefined)
  return known.length > 0
    ? `${known.reduce((sum, count) => sum + count, 0).toLocaleString()} in stock`
    : ""
}

const inventoryOf = ({ manageStock, inventory }) =>
  manageStock === false || typeof inventory !== "number" ? undefined : inventory
