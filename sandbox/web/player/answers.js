/** What a shop's answer means to a shopper: nothing, where all went well, or a notice. */

/**
 * @typedef {object} Notice
 * @property {"partial" | "failure"} tone
 * @property {string} title
 * @property {string} [text]
 * @property {Failed[]} items
 *
 * @typedef {{ name: string, text: string }} Failed a product that did not make it, and why
 */

/**
 * @param {import("./sdk.js").Answer} answer
 * @param {(product: any) => string} nameOf names a product as the shop named it back to us
 * @returns {Failed[]}
 */
export function failedOf(answer, nameOf) {
  return (answer.failedProducts ?? []).map(({ product, errorMessage }) => ({
    name: nameOf(product),
    text: errorMessage || "The shop gave no reason.",
  }))
}

/** @returns {Notice | null} */
export function noticeOf(answer, title, nameOf) {
  const items = failedOf(answer, nameOf)
  if (answer.status === "PARTIAL") {
    return { tone: "partial", title, text: answer.message, items }
  }
  if (answer.status === "FAILURE") {
    const text = answer.message ?? (items.length === 0 ? "Please try again." : undefined)
    return { tone: "failure", title, text, items }
  }
  return null
}

/** Not the shop's fault: the service gave no order number. */
export const UNREACHABLE = {
  status: "FAILURE",
  message: "The show cannot be reached. Please try again.",
}
