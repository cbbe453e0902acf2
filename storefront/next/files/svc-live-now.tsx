"use client"

import { useParams, usePathname, useRouter } from "next/navigation"
import { createElement, useEffect, useRef } from "react"
import type { LiveNowSelect } from "svc-storefront/live-now"

/** The strip with the running show. Where a checkout is under way it would only lead away. */
export default function SvcLiveNow() {
  return usePathname().includes("/checkout") ? null : <Strip />
}

function Strip() {
  const { countryCode } = useParams<{ countryCode: string }>()
  const router = useRouter()
  const strip = useRef<HTMLElement>(null)

  useEffect(() => {
    void import("svc-storefront/live-now")
    // Without this each product would load the whole page, and the player with it.
    const open = (event: Event) => {
      const { product } = (event as CustomEvent<LiveNowSelect>).detail
      if (!product.handle) return
      event.preventDefault()
      router.push(`/${countryCode}/products/${product.handle}`)
    }
    const element = strip.current
    element?.addEventListener("svc-select", open)
    return () => element?.removeEventListener("svc-select", open)
  }, [countryCode, router])

  return createElement("svc-live-now", {
    ref: strip,
    "base-url": process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL,
    "publishable-key": process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY,
    "page-uid": process.env.NEXT_PUBLIC_SVC_PAGE_UID,
    "product-href": `/${countryCode}/products/{handle}`,
  })
}
