import { type Reason, type ReasonParams, type ReasonText, reasonFrom } from "../shared/reason"

/** Why a step of the first connection is not done: what is wrong, and what to do. `{name}` stands for a parameter. */
export const SETUP_REASONS = {
  not_the_service: {
    message: "Something answers at the service address, but it is not the service's API.",
    fix: "Enter the address that is in the page's API integration settings.",
  },
  channel_closed: {
    message: "The sales channel is turned off or was deleted, so nothing in it is for sale.",
    fix: "Turn it on, or choose another one.",
  },
  region_gone: {
    message: "The region does not exist any more.",
    fix: "Choose another region.",
  },
  no_products: {
    message: "The sales channel has no published product.",
    fix: "Publish a product in it, or choose another sales channel.",
  },
  no_prices: {
    message: "No product of the sales channel has a price in {currency}.",
    fix: "Choose the region whose currency your prices are in, or add prices in this currency.",
  },
  storefront_unreachable: {
    message: "The storefront did not answer ({problem}).",
    fix: "Open the address in a browser. If it opens there, check that the store's server can reach it too.",
  },
  storefront_refused: {
    message: "The storefront answered with HTTP status {status}.",
    fix: "Enter the address that shoppers open.",
  },
  storefront_private: {
    message:
      "The storefront's address leads into a private network, where shoppers cannot open it.",
    fix: "Enter the public address. For development, set SVC_ALLOW_INSECURE_URLS=true and restart the store.",
  },
  nothing_sent: {
    message: "The import ended, but the service has none of the products.",
    fix: "Open the list of products: each has its reason.",
  },
  import_ended: {
    message: "The import did not run to its end.",
    fix: "Start it again.",
  },
  delivery_refused: {
    message: "A delivery arrived and was refused with HTTP status {status}.",
    fix: 'Press "Find the cause" on the page of the connection.',
  },
} as const satisfies Record<string, ReasonText>

export type SetupCode = keyof typeof SETUP_REASONS

export const setupReason = (code: SetupCode, params?: ReasonParams): Reason =>
  reasonFrom(SETUP_REASONS, code, params)
