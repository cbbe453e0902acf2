/** The demo's storefront serves the pictures, and may be on another port than at the start before. */
import { updateProductsWorkflow, updateProductVariantsWorkflow } from "@medusajs/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/** A picture of the demo, on whatever port; others are left as they are. */
const OF_THE_DEMO = /^http:\/\/127\.0\.0\.1:\d+\/pictures\//

type Shown = {
  id: string
  thumbnail: string | null
  images: { id: string; url: string }[]
  variants: { id: string; thumbnail: string | null }[]
}

/**
 * Makes products and variants of the demo show the pictures where they are served now.
 *
 * @param picturesUrl `http://127.0.0.1:8000/pictures`
 */
export async function movePictures(container: MedusaContainer, picturesUrl: string): Promise<void> {
  const moved = (url: string): string => url.replace(OF_THE_DEMO, `${picturesUrl}/`)
  const isElsewhere = (url: string | null): url is string => url !== null && moved(url) !== url
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "product",
    fields: ["id", "thumbnail", "images.id", "images.url", "variants.id", "variants.thumbnail"],
  })
  // The graph's own type knows nothing of what is linked.
  const products = data as unknown as Shown[]
  const changed = products.flatMap(({ id, thumbnail, images }) =>
    isElsewhere(thumbnail)
      ? {
          id,
          thumbnail: moved(thumbnail),
          images: images.map((image) => ({ id: image.id, url: moved(image.url) })),
        }
      : [],
  )
  const variants = products.flatMap((product) =>
    product.variants.flatMap(({ id, thumbnail }) =>
      isElsewhere(thumbnail) ? { id, thumbnail: moved(thumbnail) } : [],
    ),
  )
  if (changed.length > 0) {
    await updateProductsWorkflow(container).run({ input: { products: changed } })
  }
  if (variants.length > 0) {
    await updateProductVariantsWorkflow(container).run({ input: { product_variants: variants } })
  }
}
