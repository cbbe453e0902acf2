"use client"
/** The player in a React storefront. */
import { useEffect, useRef } from "react"
import { connectPlayer, type PlayerOptions } from "./index.ts"

/**
 * Connects the player while the component is mounted, and again when the store, the key or the
 * texts change. Callbacks may be new functions at each render: the latest is called.
 *
 * ```tsx
 * useSvcPlayer({ baseUrl, publishableKey, getCartId, openCart: () => setOpen(true), onCartChanged: refresh })
 * ```
 *
 * Put it into a component that stays while the shopper moves about, such as the layout.
 */
export function useSvcPlayer(options: PlayerOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { baseUrl, publishableKey, timeoutMs, currency } = options
  const messages = JSON.stringify(options.messages ?? {})
  useEffect(() => {
    const { disconnect } = connectPlayer({
      baseUrl,
      publishableKey,
      timeoutMs,
      currency,
      messages: JSON.parse(messages),
      getCartId: (purpose, gone) => latest.current.getCartId(purpose, gone),
      getAuthToken: () => latest.current.getAuthToken?.(),
      onCartChanged: (cart, outcome) => latest.current.onCartChanged?.(cart, outcome),
      // Read when they are needed: whether there is one decides what the player does.
      get openCart() {
        return latest.current.openCart
      },
      get language() {
        return latest.current.language
      },
      get redirect() {
        return latest.current.redirect
      },
      get cartUrl() {
        return latest.current.cartUrl
      },
    })
    return disconnect
  }, [baseUrl, publishableKey, timeoutMs, currency, messages])
}
