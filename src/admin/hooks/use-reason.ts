import { useCallback } from "react"
import { useTranslation } from "react-i18next"
import { localeOf } from "../lib/format"
import { type Coded, type ReasonList, type Said, sayReason } from "../lib/say-reason"
import { TEXTS } from "./use-text"

/** Says reasons in the language of the admin. */
export function useReason(list: ReasonList = "reasons"): (reason: Coded) => Said {
  const { t, i18n } = useTranslation(TEXTS)
  const locale = localeOf(i18n.language)
  return useCallback(
    (reason) => sayReason(reason, (keys, values) => t(keys, values), locale, list),
    [t, list, locale],
  )
}
