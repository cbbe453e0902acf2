/** The catalog at the service, over HTTP. One store serves all parts; each subject has a file in `catalog/`. */
import { describeStore } from "../setup/medusa"
import { describeChanges } from "./catalog/changes"
import { describeImports } from "./catalog/imports"
import { describeSending } from "./catalog/sending"
import { catalogShop } from "./catalog/shop"
import { describeSweeps } from "./catalog/sweeps"

describeStore((suite) => {
  describe("the catalog", () => {
    const shop = catalogShop(suite)
    describeChanges(shop)
    describeSending(shop)
    describeImports(shop)
    describeSweeps(shop)
  })
})
