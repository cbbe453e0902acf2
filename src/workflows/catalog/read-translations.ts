import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { SourceProduct, Translation } from "../../modules/svc/catalog"

/** Texts of products in a connection's language, by the id of what they are of; none where the store's module is off. */
export async function readTranslations(
  container: MedusaContainer,
  locale: string | null,
  products: SourceProduct[],
): Promise<Map<string, Translation>> {
  const module = container.resolve(Modules.TRANSLATION, { allowUnregistered: true })
  if (!module || locale === null || products.length === 0) return new Map()
  const found = await module.listTranslations(
    { reference_id: textIds(products), locale_code: locale },
    { select: ["reference_id", "translations"], take: null },
  )
  return new Map(found.map((text) => [text.reference_id, text.translations]))
}

/** Everything of the products that may have a translation. */
const textIds = (products: SourceProduct[]): string[] => [
  ...new Set(
    products.flatMap((product) => [
      product.id,
      ...product.categories.map(({ id }) => id),
      ...product.variants.flatMap((variant) => [
        variant.id,
        ...variant.options.flatMap(({ option_id, value_id }) => [option_id, value_id]),
      ]),
    ]),
  ),
]
