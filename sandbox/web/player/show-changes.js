/** What a shopper should notice when the show changes while it runs. */

/** @typedef {import("./service.js").Product} Product */

/**
 * @param {import("./service.js").Show} before
 * @param {import("./service.js").Show} show
 * @returns {{ product: Product, kind: "new" | "cheaper" | "dearer" }[]}
 */
export function changedProducts(before, show) {
  return show.products.flatMap((product) => {
    const old = before.products.find(({ uid }) => uid === product.uid)
    const kind = kindOf(old, product)
    return kind ? [{ product, kind }] : []
  })
}

function kindOf(old, product) {
  if (!old) {
    return "new"
  }
  if (product.price === old.price) {
    return null
  }
  return product.price < old.price ? "cheaper" : "dearer"
}

/** What the host says to it; nobody announces that a price went up. */
export function announcement({ product, kind }) {
  if (kind === "new") {
    return `New in the show: ${product.name}`
  }
  return kind === "cheaper" ? `The price of the ${product.name} just dropped!` : null
}
