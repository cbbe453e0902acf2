/** What a shop's answer means to a shopper: nothing, where all went well, or a notice. */

import type { Answer, NamedProduct } from "./sdk"

/** A product that did not make it, and why. */
export type Failed = { name: string; text: string }
export type Notice = {
  tone: "amber" | "red"
  title: string
  text: string | undefined
  items: Failed[]
}
type NameOf = (product: NamedProduct | undefined) => string

export const failedOf = (answer: Answer, nameOf: NameOf): Failed[] =>
  (answer.failedProducts ?? []).map(({ product, errorMessage }) => ({
    name: nameOf(product),
    text: errorMessage || "The shop gave no reason.",
  }))

/** The shop said of something in its answer that nothing of it is left. */
export const saysSoldOut = ({ failedProducts = [] }: Answer): boolean =>
  failedProducts.some(({ code }) => code === "out_of_stock")

export function noticeOf(answer: Answer, title: string, nameOf: NameOf): Notice | null {
  const items = failedOf(answer, nameOf)
  if (answer.status === "PARTIAL") return { tone: "amber", title, text: answer.message, items }
  if (answer.status !== "FAILURE") return null
  const text = answer.message ?? (items.length === 0 ? "Please try again." : undefined)
  return { tone: "red", title, text, items }
}

/** Not the shop's fault: the service gave no order number. */
export const UNREACHABLE: Answer = {
  status: "FAILURE",
  message: "The show cannot be reached. Please try again.",
}
