import { createCartCreditLinesWorkflow } from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"

/** As a store's own route takes a gift card: core's workflow writes the lines, and leaves what is to be paid alone. */
export const giftCard = (container: MedusaContainer, cart_id: string, amount: number) =>
  createCartCreditLinesWorkflow(container).run({
    input: [{ cart_id, amount, reference: "gift", reference_id: "card", metadata: null }],
  })
