/** `svc-sandbox trigger <topic>`: a delivery of this topic, as if it had happened. */

import { createControlClient } from "../client/control-client"
import { TOPICS } from "../contract/interface"
import { type CommandOptions, UsageError } from "./command-line"

/** @returns what to print */
export async function trigger({
  subject,
  sandboxUrl,
  pageUid,
  data,
}: CommandOptions): Promise<string> {
  if (!subject) throw new UsageError(`Which topic? One of: ${TOPICS.join(", ")}.`)
  const control = createControlClient(sandboxUrl)
  if (subject === "svc.test") {
    const { subscribers } = await control.subscribers.list({ page_uid: pageUid })
    for (const { uid } of subscribers) await control.subscribers.test(uid)
    return `svc.test: ${subscribers.length} deliveries\n`
  }
  const { deliveries } = await control.emit({
    page_uid: pageUid,
    topic: subject,
    data: data ?? sampleData(subject),
  })
  const hint = deliveries.length === 0 ? " (no subscriber of the page chose this topic)" : ""
  return `${subject}: ${deliveries.length} deliveries${hint}\n`
}

/** Every field that the interface requires (§2.6, §2.7), so that a receiver can read it. */
function sampleData(topic: string): unknown {
  const now = Date.now()
  if (topic.includes("_product.")) {
    return {
      id: "triggered-product",
      uid: "triggered-product",
      sku: "TRIGGERED",
      externalId: "triggered-external",
      campaignUid: "triggered-campaign",
      price: 99,
      suggestedRetailPrice: 129,
      available: true,
      isVirtualProduct: false,
      brand: "",
      url: "https://shop.example/triggered",
      name: "A triggered product",
      sorting: 1,
    }
  }
  return {
    id: "triggered-event",
    event: {
      id: "triggered-event",
      campaignId: "triggered-campaign",
      eventName: "A triggered show",
      eventNameShort: "Triggered",
      description: "",
      eventStartTimestamp: now + 3_600_000,
      liveStartTime: 0,
      liveEndTime: 0,
      currentStatus: topic.startsWith("shoppable") ? "clip" : "planned",
      isPublished: true,
      coverPhotoPath: "",
      coverPhotoPortraitModePath: "",
      liveVideoCover: "",
      cdnMp4VideoUrl: "",
      animation: "",
      tags: [],
      category: "",
      shoppableGroups: [],
    },
    campaign: { deadline: 0 },
  }
}
