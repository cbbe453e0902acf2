import type { Endpoint, SvcError } from "../../../client"
import {
  FINDING_TEXTS,
  type FindingCode,
  REASONS,
  type ReasonCode,
  type ReasonText,
} from "../../../texts"

/** Values that a reason's sentences name, so that they can be said in another language. */
export type ReasonParams = Record<string, string | number | string[]>

/** Why a row is not done, in words for a merchant: what happened, and what to do. */
export type Reason = { code: string; message: string; fix: string; params?: ReasonParams }

/** A reason by its code, with its parameters put into the sentences. */
export function reasonFor<Code extends ReasonCode>(
  code: Code,
  params: ReasonParams = {},
): Reason & { code: Code } {
  return say(code, REASONS[code], params)
}

/** What the webhook's doctor found, said as a reason is. */
export const finding = (code: FindingCode, params: ReasonParams = {}): Reason =>
  say(code, FINDING_TEXTS[code], params)

function say<Code extends string>(code: Code, text: ReasonText, params: ReasonParams) {
  const said = { code, message: fill(text.message, params), fix: fill(text.fix, params) }
  return Object.keys(params).length > 0 ? { ...said, params } : said
}

/** One pass, so that a value that holds `{{name}}` itself stays as it is. */
const fill = (text: string, params: ReasonParams): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    return value === undefined ? whole : [value].flat().join(", ")
  })

/** The reason that a failed call of the service gives: in the call's own words, and the service's where it sent some. */
export function reasonOf({
  code,
  message: problem,
  said,
  params,
}: Pick<SvcError, "code" | "message" | "said" | "params">): Reason {
  const told = said ?? problem
  const { message, fix } = reasonFor(code, { problem, answer: told, ...params })
  const withAnswer = !said || message.includes(said) ? message : `${message} Answer: ${said}`
  // The sentences of the other languages name neither what was asked nor what was answered.
  const answer = message === problem ? withAnswer : message.includes(told) ? told : undefined
  const named = params ?? (answer ? { answer } : undefined)
  return { code, message: withAnswer, fix, ...(named ? { params: named } : {}) }
}

/**
 * The same, for a connection and for what it holds back. What the service answers of an order may be about a person: the
 * order's own rows have it, and forget it with the customer.
 */
export const reasonOfCall = (endpoint: Endpoint, error: SvcError): Reason =>
  reasonOf(
    endpoint === "orders"
      ? { code: error.code, message: error.message, params: error.params, said: null }
      : error,
  )

/** The columns that hold a reason in a row of work; all null where there is none. */
export const reasonColumns = (reason: Reason | null) => ({
  reason_code: reason?.code ?? null,
  reason_message: reason?.message ?? null,
  reason_fix: reason?.fix ?? null,
  /** JSON. */
  reason_params: reason?.params ? JSON.stringify(reason.params) : null,
})

/** The reason that a row of work holds; null where it holds none. */
export const reasonOfRow = (row: {
  reason_code: string | null
  reason_message: string | null
  reason_fix: string | null
  reason_params?: unknown
}): Reason | null =>
  row.reason_code === null
    ? null
    : {
        code: row.reason_code,
        message: row.reason_message ?? "",
        fix: row.reason_fix ?? "",
        ...paramsIn(row.reason_params),
      }

const paramsIn = (json: unknown): { params?: ReasonParams } =>
  typeof json === "object" && json !== null ? { params: json as ReasonParams } : {}

/** A reason as a JSON column holds it, with when it was written; null where there is none. */
export function readReason(json: unknown): (Reason & { at: string | null }) | null {
  if (typeof json !== "object" || json === null) return null
  const text = (name: string): string => {
    const value: unknown = Reflect.get(json, name)
    return typeof value === "string" ? value : ""
  }
  return {
    code: text("code"),
    message: text("message"),
    fix: text("fix"),
    at: text("at") || null,
    ...paramsIn(Reflect.get(json, "params")),
  }
}
