/**
 * The sentences a shopper may read in the player. A shop in another language gives its own by
 * the same names (`messages` of {@link PlayerOptions}); what the store itself answers is passed
 * on as it is.
 */
export const defaultMessages = {
  timeout: "The shop took too long. Please try again.",
  offline: "The shop could not be reached. Please try again.",
  busy: "The shop is very busy. Please try again.",
  gone: "Your basket could not be found. Please try again.",
  /** Of an action that met the basket of an order; the next one has a new basket. */
  ordered: "Your last basket was ordered. Please try again.",
  rejected: "This could not be put in your basket.",
  broken: "Something went wrong. Please try again.",
  /** Of a change that may have been done: `timeout`, `offline` and `broken` in one. */
  unsure: "Something went wrong. Please look at your basket first.",
  no_cart_page: "Your basket could not be opened.",
  disconnected: "The shop is not ready.",
}

export type Messages = typeof defaultMessages
