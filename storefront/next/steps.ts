/**
 * The changes in Medusa's Next.js starter, one by one: what `svc-storefront add next` does, and what `docs/nextjs.md` says by
 * hand. The texts that are looked for are the starter's own, to the letter; where they are not found nothing is changed.
 */

type Edit = {
  find: string
  put: string
  /** How often `find` stands in the file; once by default. */
  times?: number
}

export type Step = {
  title: string
  /** What it is for; a sentence or two. */
  why: string
  /** From the storefront's folder. */
  file: string
} & ({ create: string } | { edits: Edit[] })

/** What `.env.local` needs, and the option that says it. */
export const ENV = [
  { key: "NEXT_PUBLIC_MEDUSA_BACKEND_URL", option: "store", example: "https://store.example.com" },
  {
    key: "NEXT_PUBLIC_SVC_PLAYER_URL",
    option: "player",
    example: "https://player.example.com/player.js",
  },
  { key: "NEXT_PUBLIC_SVC_PAGE_UID", option: "page", example: "your-page" },
] as const

const WHY_USUAL =
  "The starter compares with `original_total`, which is that of the show's price, too."

function withUsualPrice(props: string): Edit {
  const head = `  currencyCode,
}: ${props}) => {
`
  return {
    find: head,
    put: `${head}  const { unit_price, compare_at_unit_price } = item
  item = {
    ...item,
    original_total:
      (item.original_total ?? 0) *
      (unit_price > 0
        ? Math.max(1, (compare_at_unit_price ?? 0) / unit_price)
        : 1),
  }
`,
  }
}

export const STEPS: readonly Step[] = [
  {
    title: "The basket, on the server",
    why: "The starter keeps the basket's id in a cookie that scripts cannot read, reads the basket on the server, and caches it. So the browser asks the server for the id, and tells it when the player has changed the basket. Payment and order go this way, too.",
    file: "src/lib/data/svc.ts",
    create: "svc.ts",
  },
  {
    title: "What the checkout's buttons call",
    why: "They have the names of the starter's own functions. What the store changed or refused becomes a sentence beside the button, and a second press is the yes to it.",
    file: "src/lib/svc-checkout.ts",
    create: "svc-checkout.ts",
  },
  {
    title: "The player",
    why: "",
    file: "src/modules/layout/components/svc-player/index.tsx",
    create: "svc-player.tsx",
  },
  {
    title: "The strip with the running show",
    why: "",
    file: "src/modules/layout/components/svc-live-now/index.tsx",
    create: "svc-live-now.tsx",
  },
  {
    title: "The layout of all pages",
    why: "The starter has two layouts below the country, `(main)` and `(checkout)`. A player in one of them is torn down on the way to the other, so it belongs above both.",
    file: "src/app/[countryCode]/layout.tsx",
    create: "country-layout.tsx",
  },
  {
    title: "Room for the player's bubble",
    why: "On a phone it would cover the bar that buys.",
    file: "src/styles/svc.css",
    create: "svc.css",
  },
  {
    title: "The button of the product page",
    why: "Shown while a show sells the product for less.",
    file: "src/modules/products/components/svc-show-button/index.tsx",
    create: "svc-show-button.tsx",
  },
  {
    title: "The product page",
    why: "",
    file: "src/modules/products/components/product-actions/index.tsx",
    edits: [
      {
        find: `import ProductPrice from "../product-price"
`,
        put: `import SvcShowButton from "@modules/products/components/svc-show-button"
import ProductPrice from "../product-price"
`,
      },
      {
        find: `        <MobileActions
          product={product}
`,
        put: `        <SvcShowButton product={product} variant={selectedVariant} />
        <MobileActions
          product={product}
`,
      },
    ],
  },
  {
    title: "A quantity that the show does not sell",
    why: "The store refuses it with a sentence, which Next hides in production when it is thrown on the server.",
    file: "src/modules/cart/components/item/index.tsx",
    edits: [
      {
        find: `import { updateLineItem } from "@lib/data/cart"`,
        put: `import { updateLineItem } from "@lib/svc-checkout"`,
      },
    ],
  },
  {
    title: "The step of the payment",
    why: "In `setPaymentMethod` nobody catches what it throws.",
    file: "src/modules/checkout/components/payment/index.tsx",
    edits: [
      {
        find: `import { initiatePaymentSession } from "@lib/data/cart"`,
        put: `import { initiatePaymentSession } from "@lib/svc-checkout"`,
      },
      {
        find: `        provider_id: method,
      })
`,
        put: `        provider_id: method,
      }).catch((error: Error) => setError(error.message))
`,
      },
    ],
  },
  {
    title: "The button that orders",
    why: "It says which total the shopper saw. A card is confirmed in the browser before the order is placed, and the store never refuses an order whose card was confirmed for exactly its total; a shopper may need longer than the prices hold, so the session is made anew when the button is pressed, unless the card was confirmed already.",
    file: "src/modules/checkout/components/payment-button/index.tsx",
    edits: [
      {
        find: `import { placeOrder } from "@lib/data/cart"`,
        put: `import { placeOrder, renewPaymentSession } from "@lib/svc-checkout"`,
      },
      { find: "await placeOrder()", put: "await placeOrder(cart)", times: 2 },
      {
        find: `        <ManualTestPaymentButton notReady={notReady} data-testid={dataTestId} />
`,
        put: `        <ManualTestPaymentButton
          notReady={notReady}
          cart={cart}
          data-testid={dataTestId}
        />
`,
      },
      {
        find: `const ManualTestPaymentButton = ({ notReady }: { notReady: boolean }) => {
`,
        put: `const ManualTestPaymentButton = ({
  cart,
  notReady,
}: {
  cart: HttpTypes.StoreCart
  notReady: boolean
}) => {
`,
      },
      {
        find: `  const session = cart.payment_collection?.payment_sessions?.find(
    (s) => s.status === "pending"
  )
`,
        put: `  const session = cart.payment_collection?.payment_sessions?.[0]
`,
      },
      {
        find: `    if (!stripe || !elements || !card || !cart) {
      setSubmitting(false)
      return
    }

    await stripe
      .confirmCardPayment(session?.data.client_secret as string, {
`,
        put: `    if (!stripe || !session) return setSubmitting(false)
    // Confirmed already, where the answer to the order was lost: another payment would cancel it.
    const secret = session.data.client_secret as string | undefined
    const begun = secret ? await stripe.retrievePaymentIntent(secret) : null
    if (
      ["requires_capture", "succeeded"].includes(
        begun?.paymentIntent?.status ?? ""
      )
    ) {
      return onPaymentCompleted()
    }
    const fresh = await renewPaymentSession(cart, session).catch(
      (error: Error) => setErrorMessage(error.message)
    )
    if (!fresh) return setSubmitting(false)
    if (!card) {
      setErrorMessage("Please enter your card again, under Payment.")
      return setSubmitting(false)
    }

    await stripe
      .confirmCardPayment(fresh.data.client_secret as string, {
`,
      },
    ],
  },
  {
    title: "The frame of the card",
    why: "Once a card is confirmed its session is no longer `pending`, and the button beside it fails without the frame: the page must stand while the answer to the order is lost.",
    file: "src/modules/checkout/components/payment-wrapper/index.tsx",
    edits: [
      {
        find: `  const paymentSession = cart.payment_collection?.payment_sessions?.find(
    (s) => s.status === "pending"
  )
`,
        put: `  const paymentSession = cart.payment_collection?.payment_sessions?.[0]
`,
      },
    ],
  },
  {
    title: "The price that is struck through",
    why: WHY_USUAL,
    file: "src/modules/common/components/line-item-price/index.tsx",
    edits: [withUsualPrice("LineItemPriceProps")],
  },
  {
    title: "The same for one piece",
    why: WHY_USUAL,
    file: "src/modules/common/components/line-item-unit-price/index.tsx",
    edits: [withUsualPrice("LineItemUnitPriceProps")],
  },
]
