/**
 * The sentences a shopper may read in the player. A shop in another language gives its own by
 * the same names (`messages` of {@link PlayerOptions}); what the store itself answers is passed
 * on as it is.
 */
export const defaultMessages = {
  timeout: "The shop took too long to answer. Please try again.",
  offline: "The shop could not be reached. Check your connection and try again.",
  busy: "The shop is very busy right now. Please try again in a moment.",
  gone: "Your basket could not be found. Please try again.",
  rejected: "This could not be put in your basket.",
  broken: "Something went wrong in the shop. Please try again in a moment.",
  unknown_product: "This product could not be recognised.",
  no_cart_page: "The basket cannot be opened from here.",
  disconnected: "The shop is not ready yet. Please reload the page.",
}

export type Messages = typeof defaultMessages
