"use client"

import { convertToLocale } from "@lib/util/money"
import type { HttpTypes } from "@medusajs/types"
import { useEffect, useState } from "react"
import { askedFor, type LiveEvent, liveEvents, openPlayer } from "svc-storefront"

const store = {
  baseUrl: process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL ?? "",
  publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY ?? "",
}

const ASK_EVERY_MS = 60_000

type SvcShowButtonProps = {
  product: HttpTypes.StoreProduct
  variant?: HttpTypes.StoreProductVariant
}

/** While a show sells the product for less: opens the player at it. Only what comes from the player has the show's price. */
export default function SvcShowButton({ product, variant }: SvcShowButtonProps) {
  const [shows, setShows] = useState<LiveEvent[]>([])
  const [error, setError] = useState<string | null>(null)

  // A page stays open for longer than a show sells.
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const ask = () => {
      if (document.hidden) return
      // Of the player's own page: another market's may be on air at once, with the same product.
      liveEvents(store, signal, {
        status: ["live"],
        page_uid: process.env.NEXT_PUBLIC_SVC_PAGE_UID,
      })
        .then(setShows)
        .catch(() => setShows([]))
    }
    ask()
    const timer = setInterval(ask, ASK_EVERY_MS)
    document.addEventListener("visibilitychange", ask, { signal })
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [])

  const usual = (variant ?? product.variants?.[0])?.calculated_price
  const currency_code = usual?.currency_code
  // With tax and without: which of the two is less, nobody knows before the checkout.
  const isWithTax = usual?.is_calculated_price_tax_inclusive
  const isComparable = (withTax: boolean | null) => (withTax ?? isWithTax) === isWithTax
  const offer = shows
    .filter((show) => show.currency_code?.toLowerCase() === currency_code)
    .filter(({ deadline }) => !deadline || Date.parse(deadline) > Date.now())
    .flatMap(({ products, prices_include_tax: withTax }) =>
      products
        .filter((one) => one.external_id === product.id && one.available)
        .map((one) => ({ amount: askedFor(one, variant?.id), withTax })),
    )
    .find(({ amount, withTax }) => {
      const isLess = amount !== null && amount < (usual?.calculated_amount ?? 0)
      return isComparable(withTax) ? isLess : amount !== null
    })
  if (!currency_code || typeof offer?.amount !== "number") return null
  const price = convertToLocale({ amount: offer.amount, currency_code })
  const tax = isComparable(offer.withTax) ? "" : offer.withTax ? " incl. VAT" : " excl. VAT"

  const open = () => {
    const opened = openPlayer({ product_id: product.id, variant_id: variant?.id })
    setError(opened ? null : "The show is loading. Please try again.")
  }

  return (
    <>
      <button
        type="button"
        onClick={open}
        className="w-full h-10 rounded-md border border-ui-border-base bg-ui-button-neutral text-ui-fg-base txt-compact-small-plus hover:bg-ui-button-neutral-hover"
        data-testid="svc-show-button"
      >
        {`Buy in the show for ${price}${tax}`}
      </button>
      {error && <p role="alert">{error}</p>}
    </>
  )
}
