/** What a shopper should notice when the show changes while it runs. */

import type { Product, Show } from "./service"

export type Flash = "new" | "cheaper" | "dearer"

export function changedProducts(before: Show, show: Show): { product: Product; flash: Flash }[] {
  return show.products.flatMap((product) => {
    const old = before.products.find(({ uid }) => uid === product.uid)
    if (!old) return { product, flash: "new" as const }
    if (product.price === old.price) return []
    return { product, flash: product.price < old.price ? "cheaper" : "dearer" }
  })
}

/** What the host says to it; nobody announces that a price went up. */
export function announcement({ name }: Product, flash: Flash): string | null {
  if (flash === "new") return `New in the show: ${name}`
  return flash === "cheaper" ? `The price of the ${name} just dropped!` : null
}
