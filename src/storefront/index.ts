/**
 * Browser SDK: connects a storefront to the player and to this plugin's store routes. No
 * dependency, nothing from Node, safe to import on a server.
 */
export type { StoreCart } from "./actions"
export {
  type Completion,
  completeCart,
  type PriceChange,
  type PriceChanged,
  readPriceChange,
} from "./complete-cart"
export { connectPlayer, type PlayerConnection, type PlayerOptions } from "./connect-player"
export { type LiveEvent, type LiveEventProduct, liveEvents } from "./live-events"
export { defaultMessages, type Messages } from "./messages"
export type {
  ActionAnswer,
  FailedProduct,
  OpenCartPayload,
  PlayerProduct,
  PlayerProductChange,
  ShownProduct,
  SomeCheckoutPayload,
  SvcSdk,
  UpdateCartContentsPayload,
} from "./player"
export {
  type CartPurpose,
  type GetCartId,
  type RememberCartOptions,
  type RememberedCart,
  rememberCart,
} from "./remember-cart"
export { changesSince, type SeenPrices, seenPrices } from "./seen-prices"
export { type StoreConnection, StoreError, type StoreErrorKind } from "./store-connection"
