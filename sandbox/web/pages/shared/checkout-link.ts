/**
 * Social checkout links: `https://shop/?svc_checkout=<products>&svc_campaign=<uid>`.
 *
 * `<products>` is a list `product:variant:quantity,...` in the shop's own ids, either plain or as
 * base64url of the same. Variant and quantity may be left out: `prod_1`, `prod_1:var_2`,
 * `prod_1::3`. Each id is percent-encoded, so it may hold `:` and `,`.
 */

export type LinkedProduct = { productId: string; variantId?: string; quantity: number }

export type CheckoutLink = {
  campaignUid: string | null
  products: LinkedProduct[]
  clearCart: boolean
  redirectUrl: string | null
}

const PARAMS = ["svc_checkout", "svc_campaign", "svc_clear", "svc_redirect"]

/** @returns null for an address that is no checkout link */
export function readCheckoutLink(address: string): CheckoutLink | null {
  const query = new URL(address).searchParams
  const list = query.get("svc_checkout")
  if (list === null) return null
  return {
    campaignUid: query.get("svc_campaign"),
    products: decodeProducts(list),
    clearCart: query.get("svc_clear") === "1",
    redirectUrl: query.get("svc_redirect"),
  }
}

export function checkoutLink(
  storefront: string,
  link: { campaignUid: string; products: LinkedProduct[]; clearCart?: boolean },
): string {
  const url = new URL(storefront)
  url.searchParams.set("svc_checkout", encodeProducts(link.products))
  url.searchParams.set("svc_campaign", link.campaignUid)
  if (link.clearCart) url.searchParams.set("svc_clear", "1")
  return url.href
}

/** The address without the link's parameters, so that a reload does not fill the cart again. */
export function withoutCheckout(address: string): string {
  const url = new URL(address)
  for (const name of PARAMS) url.searchParams.delete(name)
  return url.href
}

function encodeProducts(products: LinkedProduct[]): string {
  const list = products
    .map(({ productId, variantId, quantity }) =>
      [encodeURIComponent(productId), encodeURIComponent(variantId ?? ""), quantity].join(":"),
    )
    .join(",")
  return btoa(list).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
}

/** Whatever cannot be read is left out. */
function decodeProducts(text: string): LinkedProduct[] {
  return (fromBase64url(text) ?? text)
    .split(",")
    .map(readProduct)
    .filter((product) => product !== null)
}

/** Every encoded list holds a colon, so a plain id is not taken for base64. */
function fromBase64url(text: string): string | null {
  if (!/^[\w-]+$/.test(text)) return null
  try {
    const list = atob(text.replace(/-/g, "+").replace(/_/g, "/"))
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(list) ? list : null
  } catch {
    return null
  }
}

function readProduct(entry: string): LinkedProduct | null {
  const [product, variant, count] = entry.split(":").map((part) => part.trim())
  const quantity = count ? Number(count) : 1
  if (!product || !Number.isInteger(quantity) || quantity < 1) return null
  try {
    return {
      productId: decodeURIComponent(product),
      ...(variant && { variantId: decodeURIComponent(variant) }),
      quantity,
    }
  } catch {
    return null
  }
}
