import { withFullStop, withTimes } from "./format"

export type Coded = {
  code: string
  message: string
  fix?: string
  params?: Record<string, unknown>
}
export type Said = { message: string; fix: string }
/** Where the codes are looked up first: those of the doctor's findings are short words, which mean something else elsewhere. */
export type ReasonList = "reasons" | "findings"
type Translate = (keys: string[], values: Record<string, unknown>) => unknown

/**
 * A reason in the language of the admin: the sentences of its code (`reasons` in `i18n/json`) with its parameters. A code that has
 * none there is said in the server's own words, which are English.
 */
export function sayReason(
  { code, message, fix = "", params }: Coded,
  t: Translate,
  locale: string,
  list: ReasonList = "reasons",
): Said {
  const answer = typeof params?.answer === "string" ? params.answer : ""
  const say = (part: keyof Said, own: string) =>
    String(
      t(
        [...new Set([list, "reasons"])].map((name) => `${name}.${code}.${part}`),
        { ...shown(params, locale), defaultValue: withTimes(own, locale) },
      ),
    )
  const said = say("message", message)
  // The translated sentences leave out what the service answered; the server's own have it.
  const withAnswer = said.includes(answer) ? said : `${said} ${t(["problems.answer"], { answer })}`
  return { message: withFullStop(withAnswer), fix: say("fix", fix) }
}

/** Values as people write them: lists as "S, M", moments in their language and time zone. */
const shown = (params: Record<string, unknown> = {}, locale: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.join(", ")
        : typeof value === "string"
          ? withTimes(value, locale)
          : value,
    ]),
  )
