/** The catalog at the service, over HTTP. One store serves all parts; each subject has a file in `catalog/`. */
import { FeatureFlag } from "@medusajs/framework/utils"
import { describeStore, UNSEEDED } from "../setup/medusa"
import { describeAcknowledged } from "./catalog/acknowledged"
import { describeChanges } from "./catalog/changes"
import { describeDemoShop } from "./catalog/demo-shop"
import { describeFailures } from "./catalog/failures"
import { describeHistories } from "./catalog/histories"
import { describeImports } from "./catalog/imports"
import { describeLooking } from "./catalog/looking"
import { describeMarkets } from "./catalog/markets"
import { describeMarks } from "./catalog/marks"
import { describeOddProducts } from "./catalog/odd-products"
import { describePace } from "./catalog/pace"
import { describePrice } from "./catalog/price"
import { describeRules } from "./catalog/rules"
import { describeSending } from "./catalog/sending"
import { catalogShop } from "./catalog/shop"
import { describeSweeps } from "./catalog/sweeps"
import { describeTranslations } from "./catalog/translations"
import { describeUnseen } from "./catalog/unseen"
import { describeVariants } from "./catalog/variants"

// Medusa's test utilities read the configuration before core's flags of the environment.
FeatureFlag.setFlag("translation", true)

describeStore(
  (suite) => {
    describe("the catalog", () => {
      const shop = catalogShop(suite)
      describeChanges(shop)
      describeImports(shop)
      describeSending(shop)
      describeSweeps(shop)
      describeMarkets(shop)
      describeFailures(shop)
      describeAcknowledged(shop)
      describeMarks(shop)
      describeVariants(shop)
      describePrice(shop)
      describeUnseen(shop)
      describeOddProducts(shop)
      describeRules(shop)
      describePace(shop)
      describeLooking(shop)
      describeTranslations(shop)
      describeHistories(shop)
      describeDemoShop(shop)
    })
  },
  {
    ...UNSEEDED,
    // No test is of the pace that is usual, and many would wait for it.
    env: { SVC_CATALOG_REQUESTS_PER_SECOND: "1000", MEDUSA_FF_TRANSLATION: "true" },
    migrate: true,
  },
)
