/** What a connection with a language sends, in a store that has Medusa's translations. */
import { createTranslationsWorkflow, updateTranslationsWorkflow } from "@medusajs/core-flows"
import { Modules } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../../src/modules/svc"
import type { CatalogShop } from "./shop"

export function describeTranslations(shop: CatalogShop): void {
  describe("a connection with a language", () => {
    it("follows the store's translations as they are made, changed and deleted; others keep the product's own words", async () => {
      // As a person may write it: the store has it as da-DK.
      const connection = await shop.connect({ catalog: { locale: "da-dk" } })
      await shop.connectPage("plain-page")
      const product = await shop.createProduct("Lamp")
      // Medusa asks for the translation of every id that it finds.
      await shop
        .getContainer()
        .resolve(Modules.PRODUCT)
        .updateProducts(product.id, { description: "A lamp", metadata: { erp: { id: 4711 } } })
      await shop.productAt(product.id, { name: "Lamp" })

      const [made] = await shop.result(createTranslationsWorkflow, {
        translations: [
          {
            reference_id: product.id,
            reference: "product",
            locale_code: "da-DK",
            translations: { title: "Lampe" },
          },
        ],
      })
      await shop.productAt(product.id, { name: "Lampe" })
      await shop.result(updateTranslationsWorkflow, {
        translations: [{ id: made.id, translations: { title: "Bordlampe" } }],
      })
      await shop.productAt(product.id, { name: "Bordlampe" })
      // A field that the store does not show translated is not sent translated either.
      const translations = shop.getContainer().resolve(Modules.TRANSLATION)
      const [ofProducts] = await translations.listTranslationSettings({ entity_type: "product" })
      const show = async (fields: string[]) => {
        await translations.updateTranslationSettings({ id: ofProducts?.id ?? "", fields })
        await shop.importAll(connection)
      }
      await show(["description"])
      await shop.productAt(product.id, { name: "Lamp" })
      // A mapper is told it in the language, with its metadata as they are.
      const { options } = shop.getContainer().resolve(SVC_MODULE)
      options.mapProduct = (payload, { product: { description, metadata } }) => ({
        ...payload,
        description: JSON.stringify([description, metadata]),
      })
      await shop.result(updateTranslationsWorkflow, {
        translations: [{ id: made.id, translations: { description: "En bordlampe" } }],
      })
      await shop.productAt(
        product.id,
        ({ product: { description } }) => description === '["En bordlampe",{"erp":{"id":4711}}]',
      )
      options.mapProduct = undefined
      await show(["title"])
      await shop.productAt(product.id, { name: "Bordlampe" })
      await translations.deleteTranslations([made.id])
      // The row is gone for good, so nobody can tell whose it was: everything is compared.
      await shop.productAt(product.id, { name: "Lamp" })
      await shop.productAt(product.id, { name: "Lamp" }, "plain-page")
    })
  })
}
