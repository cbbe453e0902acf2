/** Carts with a show's products, over HTTP. One store serves all parts; each subject has a file in `cart/`. */
import { describeStore } from "../setup/medusa"
import { describeActions } from "./cart/actions"
import { describeCodes } from "./cart/codes"
import { describeFreshness } from "./cart/freshness"
import { describeLookup } from "./cart/lookup"
import { describeModel } from "./cart/model"
import { describePriceChanges } from "./cart/price-changes"
import { describeRegion } from "./cart/region"
import { cartShop } from "./cart/shop"
import { describeStatements } from "./cart/statements"
import { describeTampering } from "./cart/tampering"
import { describeTold } from "./cart/told"

describeStore(
  (suite) => {
    describe("a cart", () => {
      const shop = cartShop(suite)
      describeActions(shop)
      describePriceChanges(shop)
      describeRegion(shop)
      describeTold(shop)
      describeLookup(shop)
      describeFreshness(shop)
      describeTampering(shop)
      describeStatements(shop)
      // It looks at the codes that the others have provoked, too.
      describeCodes(shop)
      describeModel(shop)
    })
  },
  { cardPayments: true },
)
