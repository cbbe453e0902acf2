/** Times and values as people read them. Times are ms since the epoch, on the sandbox's clock. */

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options)

const DAY = format({ day: "numeric", month: "short" })
const YEAR = format({ day: "numeric", month: "short", year: "numeric" })
const MINUTE = format({ hour: "2-digit", minute: "2-digit", hour12: false })
const SECOND = format({ hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false })

const day = (ms: number) =>
  (new Date(ms).getFullYear() === new Date().getFullYear() ? DAY : YEAR).format(ms)

export const clockTime = (ms: number) => SECOND.format(ms)
export const dayAndTime = (ms: number) => `${day(ms)}, ${MINUTE.format(ms)}`
export const dayAndSecond = (ms: number) => `${day(ms)}, ${SECOND.format(ms)}`

const STEPS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const

export function duration(ms: number): string {
  const [size, unit] = STEPS.find(([size]) => ms >= size) ?? ([1, "ms"] as const)
  return `${Math.round(ms / size)} ${unit}`
}

/** `3 min ago`, `in 2 h`, `just now` */
export function relative(ms: number, now: number): string {
  const distance = Math.abs(ms - now)
  if (distance < 2000) return "just now"
  return ms < now ? `${duration(distance)} ago` : `in ${duration(distance)}`
}

/** For `<input type="datetime-local">`, in the reader's own time zone. */
export function localInput(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16)
}

export const percent = (part: number, whole: number) =>
  whole > 0 ? `${Math.round((part / whole) * 100)} %` : "–"

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Text that is JSON is laid out; anything else is left as it came. */
export function pretty(text: unknown): string {
  try {
    return JSON.stringify(typeof text === "string" ? JSON.parse(text) : text, null, 2)
  } catch {
    return String(text ?? "")
  }
}

export const inline = (value: unknown) =>
  value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value)
