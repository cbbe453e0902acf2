import { MathBN } from "@medusajs/framework/utils"

/** A line as both the cart and the order have it: core copies these columns when it places the order, and gives new ids. */
export type CopiedLine = {
  id: string
  variantId: string | null
  title: string
  quantity: string
  unitPrice: string
  isTaxInclusive: boolean
  /** As canonical JSON: which show a line belongs to stands there. */
  metadata: string
}

/**
 * What two lines are compared by, the strictest first: all that core copies, then less, down to the variant alone. In the end
 * all but the variant: an order line has none where it was deleted while its shopper paid.
 */
const SIGNATURES: ((line: CopiedLine) => unknown[])[] = [
  (line) => [
    line.variantId,
    line.title,
    number(line.quantity),
    number(line.unitPrice),
    line.isTaxInclusive,
    line.metadata,
  ],
  (line) => [line.variantId, number(line.quantity), number(line.unitPrice), line.metadata],
  (line) => [line.variantId, number(line.unitPrice), line.metadata],
  (line) => [line.variantId, number(line.quantity), number(line.unitPrice)],
  (line) => [line.variantId, number(line.unitPrice)],
  (line) => [line.variantId],
  (line) => [
    line.title,
    number(line.quantity),
    number(line.unitPrice),
    line.isTaxInclusive,
    line.metadata,
  ],
]

const number = (text: string): string => MathBN.convert(text).toFixed()

/**
 * Which line of the order each line of its cart became. Core keeps no trace of it: so lines are paired by all that it
 * copies, and what is left by less and less, for orders that other code changed while it placed them. Lines that are equal
 * in everything may be paired either way: they are worth the same. Each line is paired once. Pure.
 *
 * @returns order line ids by cart line id
 */
export function matchLines(cart: CopiedLine[], order: CopiedLine[]): Map<string, string> {
  const matched = new Map<string, string>()
  const free = new Set(order)
  for (const signature of SIGNATURES) {
    for (const line of cart) {
      if (matched.has(line.id) || line.variantId === null) continue
      const wanted = JSON.stringify(signature(line))
      const found = [...free].find((other) => JSON.stringify(signature(other)) === wanted)
      if (!found) continue
      matched.set(line.id, found.id)
      free.delete(found)
    }
  }
  return matched
}
