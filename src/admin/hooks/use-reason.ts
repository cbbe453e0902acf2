import { useCallback } from "react"
import { useTranslation } from "react-i18next"
import { localeOf, withFullStop, withTimes } from "../lib/format"
import { TEXTS } from "./use-text"

type Coded = { code: string; message: string; fix?: string; params?: Record<string, unknown> }

/**
 * A reason in the language of the admin: the sentences of its code (`reasons` in `i18n/json`) with its parameters. A code that has
 * none there is said in the server's own words, which are English.
 *
 * @param list where the codes are looked up first: those of the doctor's findings are short words, such as `too_large`, that
 *   the service may use for something else
 */
export function useReason(
  list: "reasons" | "findings" = "reasons",
): <R extends Coded>(reason: R) => { message: string; fix: string } {
  const { t, i18n } = useTranslation(TEXTS)
  const locale = localeOf(i18n.language)
  return useCallback(
    ({ code, message, fix = "", params }: Coded) => {
      const answer = typeof params?.answer === "string" ? params.answer : ""
      const say = (part: "message" | "fix", own: string) =>
        String(
          t(keysOf(list, code, part, answer), {
            ...shown(params, locale),
            defaultValue: withTimes(own, locale),
          }),
        )
      const said = say("message", message)
      // The translated sentences leave out what the service answered; the server's own have it.
      const withAnswer = said.includes(answer)
        ? said
        : `${said} ${t("problems.answer", { answer })}`
      return { message: withFullStop(withAnswer), fix: say("fix", fix) }
    },
    [t, list, locale],
  )
}

/** A code that the service itself gave to what it refused is in no list of ours: then it is a refusal like any other. */
const keysOf = (list: string, code: string, part: "message" | "fix", answer: string): string[] =>
  [...new Set([list, "reasons"])]
    .map((name) => `${name}.${code}`)
    .concat(answer ? ["reasons.svc_rejected"] : [])
    .map((key) => `${key}.${part}`)

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
