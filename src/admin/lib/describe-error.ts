import type { Text } from "../hooks/use-text"
import languages from "../i18n"
import { ApiError } from "./client"
import { withFullStop } from "./format"
import type { Coded } from "./say-reason"

export type Described = { message: string; fix?: string }

/** A code of the plugin has sentences in each of its languages. */
const isOurs = (code: string): boolean => Object.hasOwn(languages.de.svc.reasons, code)

/** What happened and what to do: in the admin's language where it has the code, else in the words of the answer. */
export function describeError(
  error: Error,
  t: Text,
  say: (refusal: Coded) => Described,
): Described {
  const asItSays = { message: withFullStop(error.message), fix: t("errors.serverFix") }
  if (!(error instanceof ApiError)) return asItSays
  if (error.code === "network_error") {
    return { message: t("errors.network"), fix: t("errors.networkFix") }
  }
  // A proxy before the store answers in its own way.
  if (!error.message) {
    return {
      message: t("errors.noAnswer", { status: error.status }),
      fix: t("errors.noAnswerFix"),
    }
  }
  if (error.status === 401) return { message: t("errors.sessionFix") }
  if (error.status >= 500 && !isOurs(error.code)) return asItSays
  // The plugin's own refusals end with what to do.
  return say(error)
}
