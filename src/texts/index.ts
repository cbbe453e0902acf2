/**
 * The one catalogue of codes: what happened and what to do, for every reason, problem and refusal that a merchant reads.
 * `en.json` is what the server says; the admin says the same codes in its other languages (`src/admin/i18n/json`). `{{name}}`
 * stands for a parameter. A code that is not here does not compile.
 */
import english from "./en.json"

export type ReasonText = { message: string; fix: string }

export type ReasonCode = keyof typeof english.reasons
export const REASONS: Readonly<Record<ReasonCode, ReasonText>> = english.reasons

/** What the webhook's doctor finds: short words of their own, such as `too_large`, which the service may use for something else. */
export type FindingCode = keyof typeof english.findings

export const FINDING_TEXTS: Readonly<Record<FindingCode, ReasonText>> = english.findings
