import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { REFUSALS, refusalCode, type SvcRefusal } from "../../../../../modules/svc"
import {
  CART_CODES,
  type CartAccess,
  type CartCode,
  type CartParams,
  type CartReason,
  type ChangedLine,
  chooseLanguage,
  isSpoken,
  type Language,
  sentence,
  sentenceOf,
} from "../../../../../workflows/cart"

/** The language that a shopper is answered in: the cart's locale, else what the browser accepts. */
export const languageFor = (req: MedusaRequest, cartLocale: string | null): Language =>
  chooseLanguage(cartLocale, req.acceptsLanguages())

type WhoAsks = {
  auth_context?: { actor_id?: string; actor_type?: string }
  publishable_key_context?: { sales_channel_ids?: string[] }
}

/** As whom a cart is asked for: with whose session, in which shop. */
export function accessOf(req: MedusaRequest): CartAccess {
  const { auth_context: auth, publishable_key_context: key } = req as WhoAsks
  return {
    customerId: (auth?.actor_type === "customer" && auth.actor_id) || null,
    salesChannelIds: key?.sales_channel_ids ?? null,
  }
}

/** More than a basket can have; a header is no place for a list without end. */
const MOST_ACKNOWLEDGED = 500

/** The changes that the storefront says it has shown: `x-svc-acknowledged-changes: <id>, <id>`; null without the header. */
export function acknowledgedOf(req: MedusaRequest): string[] | null {
  const header = req.get("x-svc-acknowledged-changes")
  if (header === undefined) return null
  const ids = header.split(",", MOST_ACKNOWLEDGED).map((id) => id.trim())
  return ids.filter((id) => id !== "")
}

/** A reason with its sentence, as answers carry it. */
export const spoken = (reason: CartReason, language: Language) => ({
  code: reason.code,
  message: sentenceOf(reason, language),
  ...(reason.params ? { params: reason.params } : {}),
})

const isCartCode = (code: string): code is CartCode => Object.hasOwn(CART_CODES, code)

/**
 * As what the reason of a changed line is told. One that is at the catalog price now is not to be tried again: the second
 * press is the shopper's yes to that price.
 */
const codeSpoken = (code: CartCode, newUnitPrice: number | null): CartCode =>
  newUnitPrice !== null && (code === "price_unavailable" || code === "price_too_low")
    ? "catalog_price"
    : code

/** Changed lines with a sentence each. */
export const spokenChanges = (lines: ChangedLine[], language: Language) =>
  lines.map((line) => ({
    ...line,
    ...(isCartCode(line.reason)
      ? {
          message: sentenceOf(
            {
              code: codeSpoken(line.reason, line.new_unit_price),
              ...(line.params ? { params: line.params } : {}),
            },
            language,
          ),
        }
      : {}),
  }))

/** Answers a refusal in the shopper's language; false when the error is none. */
export function answerShopper(req: MedusaRequest, res: MedusaResponse, error: unknown): boolean {
  const code = refusalCode(error)
  if (!code || res.headersSent) return false
  const { type, status } = REFUSALS[code]
  const params = paramsOf(error)
  const { locale = null } = error as Pick<SvcRefusal, "locale">
  const language = languageFor(req, locale)
  const message = isCartCode(code)
    ? sentenceOf({ code, ...(params ? { params } : {}) }, language)
    : isSpoken(code)
      ? sentence(code, language)
      : (error as Error).message
  if (params?.seconds) res.setHeader("Retry-After", String(params.seconds))
  res.status(status).json({ type, code, message, ...(params ? { params } : {}) })
  return true
}

/** By shape, as `refusalCode`: a workflow engine may hand an error on as a copy. */
function paramsOf(error: unknown): CartParams | null {
  if (typeof error !== "object" || error === null || !("params" in error)) return null
  const { params } = error
  return typeof params === "object" && params !== null ? (params as CartParams) : null
}
