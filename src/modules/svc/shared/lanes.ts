/** Who waits for a product to be sent; a lower lane goes first. */
export const LANE = {
  /** A person's edit, or an event of the store that concerns a few products. */
  edit: 0,
  /** A change of many products at once: a price list, a market's setting, what a comparison found. */
  mass: 1,
  /** An import alone. A pause holds this lane, a cancel takes its marks back. */
  import: 2,
} as const

/** One event that concerns more products than this is a change of many: a person's edit must not wait behind it. */
export const FEW_PRODUCTS = 500
