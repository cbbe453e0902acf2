/**
 * Social checkout links: `https://shop/?svc_checkout=<products>&svc_campaign=<uid>`.
 *
 * `<products>` is a list `product:variant:quantity,...` in the shop's own ids, either plain or as
 * base64url of the same. Variant and quantity may be left out: `prod_1`, `prod_1:var_2`,
 * `prod_1::3`. Each id is percent-encoded, so it may hold `:` and `,`.
 */

/** @typedef {{ productId: string, variantId?: string, quantity: number }} LinkedProduct */

/** @param {LinkedProduct[]} products */
export function encodeProducts(products) {
  const list = products
    .map(({ productId, variantId, quantity }) =>
      [encodeURIComponent(productId), encodeURIComponent(variantId ?? ""), quantity].join(":"),
    )
    .join(",")
  return btoa(list).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
}

/** @param {string} text @returns {LinkedProduct[]} what could be read; an unreadable link is empty */
export function decodeProducts(text) {
  return (fromBase64url(text) ?? text)
    .split(",")
    .map(productOf)
    .filter((product) => product !== null)
}

/** Only a list can come out of base64 here, and every encoded list holds a colon. */
function fromBase64url(text) {
  if (!/^[\w-]+$/.test(text)) {
    return null
  }
  try {
    const list = atob(text.replace(/-/g, "+").replace(/_/g, "/"))
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(list) ? list : null
  } catch {
    return null
  }
}

function productOf(entry) {
  const [product, variant, count] = entry.split(":").map((part) => part.trim())
  const quantity = count ? Number(count) : 1
  if (!product || !Number.isInteger(quantity) || quantity < 1) {
    return null
  }
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

/**
 * @typedef {object} CheckoutLink
 * @property {string | null} campaignUid
 * @property {LinkedProduct[]} products
 * @property {boolean} clearCart
 * @property {string | null} redirectUrl
 */

const PARAMS = ["svc_checkout", "svc_campaign", "svc_clear", "svc_redirect"]

/** @param {string} address @returns {CheckoutLink | null} null for an ordinary address */
export function readCheckoutLink(address) {
  const query = new URL(address).searchParams
  const list = query.get("svc_checkout")
  if (list === null) {
    return null
  }
  return {
    campaignUid: query.get("svc_campaign"),
    products: decodeProducts(list),
    clearCart: query.get("svc_clear") === "1",
    redirectUrl: query.get("svc_redirect"),
  }
}

/**
 * @param {string} storefront
 * @param {{ campaignUid: string, products: LinkedProduct[], clearCart?: boolean, redirectUrl?: string }} link
 */
export function checkoutLink(storefront, { campaignUid, products, clearCart, redirectUrl }) {
  const url = new URL(storefront)
  url.searchParams.set("svc_checkout", encodeProducts(products))
  url.searchParams.set("svc_campaign", campaignUid)
  clearCart && url.searchParams.set("svc_clear", "1")
  redirectUrl && url.searchParams.set("svc_redirect", redirectUrl)
  return url.href
}

/** The address without the link's parameters, so that a reload does not order again. */
export function withoutCheckout(address) {
  const url = new URL(address)
  for (const name of PARAMS) {
    url.searchParams.delete(name)
  }
  return url.href
}
