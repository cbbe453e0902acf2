/** The service's webhooks, over HTTP. One store serves all parts; each subject has a file in `webhooks/`. */
import { describeStore } from "../setup/medusa"
import { describeChanges } from "./webhooks/changes"
import { describeEvidence } from "./webhooks/evidence"
import { describeFloods } from "./webhooks/flood"
import { describeHealing } from "./webhooks/healing"
import { describeInbox } from "./webhooks/inbox"
import { describeKeys } from "./webhooks/keys"
import { describeListings } from "./webhooks/listings"
import { describeOrder } from "./webhooks/order"
import { describeOurFaults } from "./webhooks/our-faults"
import { describeReceiving } from "./webhooks/receiving"
import { describeReferee } from "./webhooks/referee"
import { webhooksShop } from "./webhooks/shop"
import { describeSubscriber } from "./webhooks/subscriber"
import { describeSubscriberState } from "./webhooks/subscriber-state"

describeStore((suite) => {
  describe("webhooks", () => {
    const shop = webhooksShop(suite)
    describeReceiving(shop)
    describeOurFaults(shop)
    describeOrder(shop)
    describeSubscriber(shop)
    describeSubscriberState(shop)
    describeKeys(shop)
    describeListings(shop)
    describeHealing(shop)
    describeInbox(shop)
    describeEvidence(shop)
    describeChanges(shop)
    describeFloods(shop)
    describeReferee(shop)
  })
})
