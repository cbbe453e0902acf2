/** The catalog of a store whose translation module is on: a flag of Medusa, so it needs a store of its own. */
import { createTranslationsWorkflow, updateTranslationsWorkflow } from "@medusajs/core-flows"
import { FeatureFlag, Modules } from "@medusajs/framework/utils"
import { describeStore, UNSEEDED } from "../setup/medusa"
import { catalogShop } from "./catalog/shop"

// Medusa's test utilities read the configuration before core's flags of the environment.
FeatureFlag.setFlag("translation", true)

describeStore(
  (suite) => {
    describe("a connection with a language", () => {
      const shop = catalogShop(suite)

      it("follows the store's translations as they are made, changed and deleted; others keep the product's own words", async () => {
        // As a person may write it: the store has it as da-DK.
        const connection = await shop.connect({ catalog: { locale: "da-dk" } })
        await shop.connectPage("plain-page")
        const product = await shop.createProduct("Lamp")
        // Medusa asks for the translation of every id that it finds.
        await suite
          .getContainer()
          .resolve(Modules.PRODUCT)
          .updateProducts(product.id, { metadata: { erp: { id: 4711 } } })
        await shop.productAt(product.id, ({ product: at }) => at.name === "Lamp")

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
        await shop.productAt(product.id, ({ product: at }) => at.name === "Lampe")
        await shop.result(updateTranslationsWorkflow, {
          translations: [{ id: made.id, translations: { title: "Bordlampe" } }],
        })
        await shop.productAt(product.id, ({ product: at }) => at.name === "Bordlampe")
        // A field that the store does not show translated is not sent translated either.
        const translations = suite.getContainer().resolve(Modules.TRANSLATION)
        const [ofProducts] = await translations.listTranslationSettings({ entity_type: "product" })
        const show = async (fields: string[]) => {
          await translations.updateTranslationSettings({ id: ofProducts?.id ?? "", fields })
          await shop.importAll(connection)
        }
        await show(["description"])
        await shop.productAt(product.id, ({ product: at }) => at.name === "Lamp")
        await show(["title"])
        await shop.productAt(product.id, ({ product: at }) => at.name === "Bordlampe")
        await translations.deleteTranslations([made.id])
        // The row is gone for good, so nobody can tell whose it was: everything is compared.
        await shop.productAt(product.id, ({ product: at }) => at.name === "Lamp")
        await shop.productAt(product.id, ({ product: at }) => at.name === "Lamp", "plain-page")
      })
    })
  },
  { ...UNSEEDED, env: { MEDUSA_FF_TRANSLATION: "true" }, migrate: true },
)
