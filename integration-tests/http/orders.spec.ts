/** Orders of shows: reported once, healed whatever is lost, and counted as Medusa's own totals say. */
import { describeStore } from "../setup/medusa"
import { describeAnyService } from "./orders/any-service"
import { describeFiles } from "./orders/files"
import { describeHealing } from "./orders/healing"
import { describeHistories } from "./orders/histories"
import { describeLinks } from "./orders/links"
import { describeMoved } from "./orders/moved"
import { describePayment } from "./orders/payment"
import { describePlans } from "./orders/plans"
import { describeReport } from "./orders/report"
import { describeResults } from "./orders/results"
import { describeRetention } from "./orders/retention"
import { describeSettings } from "./orders/settings"
import { ordersShop } from "./orders/shop"
import { describeShow } from "./orders/show"
import { describeSweep } from "./orders/sweep"

describeStore((suite) => {
  describe("orders of a show", () => {
    const shop = ordersShop(suite)
    describePayment(shop)
    describeSweep(shop)
    describeReport(shop)
    describeMoved(shop)
    describeSettings(shop)
    describeHealing(shop)
    describeResults(shop)
    describeFiles(shop)
    describeLinks(shop)
    describeRetention(shop)
    describePlans(shop)
    describeHistories(shop)
    describeAnyService(shop)
    // Last: the service goes on delivering to the webhooks that it registers.
    describeShow(shop)
  })
})
