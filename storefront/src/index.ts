/**
 * Browser SDK: connects a storefront to the player and to this plugin's store routes. No
 * dependency, nothing from Node, safe to import on a server.
 */
export type { StoreCart, StoreProduct } from "./actions.ts"
export {
  type CheckoutOptions,
  type Completion,
  completeCart,
  type PaymentStart,
  startPayment,
} from "./complete-cart.ts"
export {
  type ActionOutcome,
  connectPlayer,
  type PlayerConnection,
  type PlayerOptions,
} from "./connect-player.ts"
export { setConsent } from "./consent.ts"
export type { SvcEvents } from "./events.ts"
export {
  askedFor,
  type LiveEvent,
  type LiveEventProduct,
  type LiveEventsQuery,
  liveEvents,
} from "./live-events.ts"
export { defaultMessages, type Messages } from "./messages.ts"
export { openPlayer } from "./open-player.ts"
export type {
  ActionAnswer,
  FailedProduct,
  OpenCartPayload,
  PlayerProduct,
  PlayerProductChange,
  PlayerSpot,
  ShownProduct,
  SomeCheckoutPayload,
  SvcSdk,
  UpdateCartContentsPayload,
} from "./player.ts"
export {
  acknowledge,
  describeChange,
  type PriceChange,
  type PriceChanged,
  readPriceChange,
} from "./price-change.ts"
export {
  type CartPurpose,
  type GetCartId,
  type RememberCartOptions,
  type RememberedCart,
  rememberCart,
} from "./remember-cart.ts"
export { type StoreConnection, StoreError, type StoreErrorKind } from "./store-connection.ts"
