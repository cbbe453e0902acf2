import { Modules } from "@medusajs/framework/utils"
import { seedDemo } from "../../../demo/catalog/seed"
import { DEMO_ADMIN } from "../../../demo/catalog/seed-names"
import type { CatalogShop } from "./shop"

/** Here, because this store has no products yet. */
export function describeDemoShop(shop: CatalogShop): void {
  describe("the demo's shop", () => {
    it("is not taken for whole where its first start was ended: the next one says how to start over", async () => {
      const container = shop.getContainer()
      const [users, regions] = [container.resolve(Modules.USER), container.resolve(Modules.REGION)]
      const taxes = container.resolve(Modules.TAX)
      await regions.deleteRegions((await regions.listRegions()).map(({ id }) => id))
      await taxes.deleteTaxRegions((await taxes.listTaxRegions()).map(({ id }) => id))
      // Somebody has the admin's address, which ends the first start at its last step, as a kill may at any.
      const auth = container.resolve(Modules.AUTH)
      const { authIdentity } = await auth.register("emailpass", { body: DEMO_ADMIN } as never)
      const app_metadata = { user_id: "somebody" }
      await auth.updateAuthIdentities({ id: authIdentity?.id ?? "", app_metadata })
      // A user alone is no shop.
      expect(await users.listUsers()).not.toEqual([])
      await expect(seedDemo(container)).rejects.toThrow("could not be created")
      await users.deleteUsers((await users.listUsers()).map(({ id }) => id))
      await expect(seedDemo(container)).rejects.toThrow("npm run demo -- --reset")
    })
  })
}
