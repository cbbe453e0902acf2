/** Carts with a show's products, over HTTP. One store serves all parts; each subject has a file in `cart/`. */
import { describeStore } from "../setup/medusa"
import { describeActions } from "./cart/actions"
import { describeAttribution } from "./cart/attribution"
import { describeLimits } from "./cart/limits"
import { describePriceChanges } from "./cart/price-changes"
import { describeRegion } from "./cart/region"
import { cartShop } from "./cart/shop"

describeStore((suite) => {
  describe("a cart", () => {
    const shop = cartShop(suite)
    describeActions(shop)
    describePriceChanges(shop)
    describeLimits(shop)
    describeRegion(shop)
    describeAttribution(shop)
  })
})
