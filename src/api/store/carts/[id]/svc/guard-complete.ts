import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { REFUSALS } from "../../../../../modules/svc"
import { changesAnswered, guardCart, type Question, sentence } from "../../../../../workflows/cart"
import { idOf } from "../../../../answer"
import { readCart } from "./cart-answer"
import { acknowledgedOf, answerShopper, languageFor, spokenChanges } from "./shopper"

/**
 * Runs before core's `POST /store/carts/:id/complete`. Where a shopper has to be asked first, the request answers as core
 * answers a cart that could not be ordered: 200 `{type: "cart", cart, error: {type, name, code, message, lines}}` with the
 * cart as it is now. Every Medusa storefront reads that, refreshes its basket from it and lets the shopper order again; an
 * answer of 409 would leave those stuck that know nothing of us.
 *
 * A cart that has nothing of ours costs one short query.
 */
export async function guardComplete(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  await guard(req, res, next, {
    ask: () => guardCart(req.scope, idOf(req), "order", { acknowledged: acknowledgedOf(req) }),
    answer: async (question) => {
      const cart = await readCart(question.cartId, req.scope)
      res.status(200).json({ type: "cart", cart, error: priceChanged(req, question) })
    },
  })
}

/**
 * Runs before core's `POST /store/payment-collections/:id/payment-sessions`, for every provider. Where a shopper has to be
 * asked first it answers 409 `{type, code, message, lines}`: core has no answer of its own for a payment that is not begun.
 */
export async function guardPayment(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): Promise<void> {
  await guard(req, res, next, {
    ask: () => {
      const cart = { paymentCollectionId: idOf(req) }
      return guardCart(req.scope, cart, "payment", { acknowledged: acknowledgedOf(req) })
    },
    answer: async (question) => {
      const { name: _name, ...error } = priceChanged(req, question)
      res.status(REFUSALS.svc_price_changed.status).json(error)
    },
  })
}

function priceChanged(req: MedusaRequest, { lines, locale }: NonNullable<Question>) {
  const language = languageFor(req, locale)
  return {
    type: REFUSALS.svc_price_changed.type,
    name: "svc_price_changed",
    code: "svc_price_changed",
    message: sentence(lines.length > 0 ? "svc_price_changed" : "total_changed", language),
    lines: spokenChanges(lines, language),
  }
}

async function guard(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
  guarded: {
    ask: () => Promise<Question>
    answer: (question: NonNullable<Question>) => Promise<void>
  },
): Promise<void> {
  try {
    const question = await guarded.ask()
    if (!question) return next()
    // After the answer was sent: one that the shopper's browser never got counts as none.
    res.once("finish", () => {
      changesAnswered(req.scope, question.lines).catch(() => undefined)
    })
    await guarded.answer(question)
  } catch (error) {
    if (!answerShopper(req, res, error)) next(error)
  }
}
