"use client"

import { convertToLocale } from "@lib/util/money"
import type { HttpTypes } from "@medusajs/types"
import { Button } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { type LiveEvent, liveEvents, openPlayer } from "svc-storefront"

const store = {
  baseUrl: process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL ?? "",
  publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY ?? "",
}

type SvcShowButtonProps = {
  product: HttpTypes.StoreProduct
  variant?: HttpTypes.StoreProductVariant
}

/** While a show sells the product for less: opens the player at it. Only what comes from the player has the show's price. */
export default function SvcShowButton({ product, variant }: SvcShowButtonProps) {
  const [shows, setShows] = useState<LiveEvent[]>([])
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    const stop = new AbortController()
    liveEvents(store, stop.signal, { status: ["live"] })
      .then(setShows)
      .catch(() => setShows([]))
    return () => stop.abort()
  }, [])

  const show = shows.find(({ products }) => products.some((one) => one.external_id === product.id))
  const offer = show?.products.find((one) => one.external_id === product.id)
  const own = offer?.variants.find((one) => one.external_id === variant?.id)
  const price = own?.price ?? offer?.price
  const usual = (variant ?? product.variants?.[0])?.calculated_price
  if (!offer?.available || !show?.currency_code || price === null || price === undefined)
    return null
  if (usual?.currency_code !== show.currency_code.toLowerCase()) return null
  if (price >= (usual.calculated_amount ?? 0)) return null

  const open = () => {
    const opened = openPlayer({ product_id: product.id, variant_id: variant?.id })
    setError(opened ? null : "The show is loading. Please try again.")
  }

  return (
    <>
      <Button
        onClick={open}
        variant="secondary"
        className="w-full h-10"
        data-testid="svc-show-button"
      >
        Buy in the show for {convertToLocale({ amount: price, currency_code: show.currency_code })}
      </Button>
      {error && <p role="alert">{error}</p>}
    </>
  )
}
