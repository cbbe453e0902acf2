import { useCallback } from "react"
import { useTranslation } from "react-i18next"
import { TEXTS } from "./use-text"

type Coded = { code: string; message: string; fix?: string; params?: Record<string, unknown> }

/**
 * A reason in the language of the admin: the sentences of its code (`i18n/reasons`) with its parameters. A code that has
 * none there is said in the server's own words, which are English.
 */
export function useReason(): <R extends Coded>(reason: R) => { message: string; fix: string } {
  const { t } = useTranslation(TEXTS)
  return useCallback(
    ({ code, message, fix = "", params }: Coded) => {
      const say = (part: "message" | "fix", own: string) =>
        String(t(`reasons.${code}.${part}`, { ...listed(params), defaultValue: own }))
      return { message: say("message", message), fix: say("fix", fix) }
    },
    [t],
  )
}

/** Lists as people write them: "S, M". */
const listed = (params: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  )
