/** Which pictures of a store are the demo's own, and where they are served now. Pure. */
import { PRODUCTS } from "./products"
import { picturesOf } from "./variants"

const NAMES = new Set(PRODUCTS.flatMap(picturesOf).map(({ name }) => name))

export type Shown = {
  id: string
  thumbnail: string | null
  images: { id: string; url: string }[]
  variants: { id: string; thumbnail: string | null }[]
}

/**
 * Where a picture of the demo is served now. Any other address is left as it is: a merchant may serve pictures of their own
 * on this machine, too.
 *
 * @param picturesUrl `http://127.0.0.1:8000/pictures`
 */
export function movedPicture(url: string, picturesUrl: string): string {
  const [, name = ""] = /^http:\/\/127\.0\.0\.1:\d+\/pictures\/([^/]+)\.svg$/.exec(url) ?? []
  return NAMES.has(name) ? `${picturesUrl}/${name}.svg` : url
}

/** @returns what has to change so that products and variants show the demo's pictures where they are served now */
export function movedPictures(products: Shown[], picturesUrl: string) {
  const moved = (url: string): string => movedPicture(url, picturesUrl)
  const isElsewhere = (url: string | null): url is string => url !== null && moved(url) !== url
  return {
    products: products.flatMap(({ id, thumbnail, images }) => {
      const imagesMove = images.some(({ url }) => isElsewhere(url))
      if (!imagesMove && !isElsewhere(thumbnail)) return []
      return {
        id,
        ...(isElsewhere(thumbnail) && { thumbnail: moved(thumbnail) }),
        // All of them: those that are not named would be removed.
        ...(imagesMove && {
          images: images.map((image) => ({ id: image.id, url: moved(image.url) })),
        }),
      }
    }),
    variants: products.flatMap((product) =>
      product.variants.flatMap(({ id, thumbnail }) =>
        isElsewhere(thumbnail) ? { id, thumbnail: moved(thumbnail) } : [],
      ),
    ),
  }
}
