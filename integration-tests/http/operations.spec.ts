/** What an operator of a store meets: keys, health, metrics, the command. One store serves all parts. */
import { describeStore } from "../setup/medusa"
import { describeCommand } from "./operations/command"
import { describeHealth } from "./operations/health"
import { describeKeys } from "./operations/keys"
import { describeLists } from "./operations/lists"
import { describeMetrics } from "./operations/metrics"
import { describeOutage } from "./operations/outage"
import { describeOverview } from "./operations/overview"
import { describePools } from "./operations/pools"
import { describeSentinels } from "./operations/sentinels"
import { ENCRYPTION_KEYS, MONITORING_TOKEN, operationsShop } from "./operations/shop"
import { describeStoreParts } from "./operations/store"
import { describeUninstall } from "./operations/uninstall"

describeStore(
  (suite) => {
    describe("operations", () => {
      const shop = operationsShop(suite)
      describeKeys(shop)
      describeHealth(shop)
      describeMetrics(shop)
      describePools(shop)
      describeSentinels(shop)
      describeUninstall(shop)
      describeCommand(shop)
      describeLists(shop)
      describeOverview(shop)
      describeOutage(shop)
      describeStoreParts(shop)
    })
  },
  { env: { SVC_ENCRYPTION_KEYS: ENCRYPTION_KEYS, SVC_MONITORING_TOKEN: MONITORING_TOKEN } },
)
