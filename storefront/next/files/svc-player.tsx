"use client"

import { svcCartChanged, svcCartId } from "@lib/data/svc"
import { useParams, useRouter } from "next/navigation"
import Script from "next/script"
import { useSvcPlayer } from "svc-storefront/react"

export default function SvcPlayer() {
  const { countryCode } = useParams<{ countryCode: string }>()
  const router = useRouter()
  useSvcPlayer({
    baseUrl: process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL ?? "",
    publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY ?? "",
    getCartId: (purpose, gone) => svcCartId(purpose, countryCode, gone),
    openCart: () => router.push(`/${countryCode}/cart`),
    redirect: (url) => router.push(url),
    onCartChanged: async () => {
      await svcCartChanged()
      router.refresh()
    },
  })
  return (
    <Script
      src={process.env.NEXT_PUBLIC_SVC_PLAYER_URL}
      data-page-uid={process.env.NEXT_PUBLIC_SVC_PAGE_UID}
    />
  )
}
