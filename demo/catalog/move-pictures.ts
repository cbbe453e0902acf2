/** The demo's storefront serves the pictures, and may be on another port than at the start before. */
import { updateProductsWorkflow, updateProductVariantsWorkflow } from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { movedPictures, type Shown } from "./moved-pictures"

/**
 * Makes products and variants of the demo show the pictures where they are served now.
 *
 * @param picturesUrl `http://127.0.0.1:8000/pictures`
 */
export async function movePictures(container: MedusaContainer, picturesUrl: string): Promise<void> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "product",
    fields: ["id", "thumbnail", "images.id", "images.url", "variants.id", "variants.thumbnail"],
  })
  // The graph's own type knows nothing of what is linked.
  const { products, variants } = movedPictures(data as unknown as Shown[], picturesUrl)
  if (products.length > 0) {
    await updateProductsWorkflow(container).run({ input: { products } })
  }
  if (variants.length > 0) {
    await updateProductVariantsWorkflow(container).run({ input: { product_variants: variants } })
  }
}
