/** `svc-sandbox trigger <topic>`: a delivery of this topic, as if it had happened. */

import { randomUUID } from "node:crypto"
import { type ControlClient, createControlClient } from "../client/control-client"
import { bareEvent, bareProduct } from "../contract/bare-payloads"
import { TEST_TOPIC, TOPICS } from "../contract/interface"
import { type CommandOptions, UsageError } from "./command-line"

/** @returns what to print */
export async function trigger(options: CommandOptions): Promise<string> {
  const { subject: topic, sandboxUrl, fault } = options
  if (!topic) throw new UsageError(`Which topic? One of: ${TOPICS.join(", ")}.`)
  const control = createControlClient(sandboxUrl)
  if (fault === undefined) {
    const { length } = await send(control, topic, options)
    const hint = length === 0 && topic !== TEST_TOPIC ? NOBODY : ""
    return `${topic}: ${length} deliveries${hint}\n`
  }
  // The plan holds for these deliveries alone and is gone afterwards, so that it strikes nothing else.
  const eventUid = `trigger-${randomUUID()}`
  const only = topic === TEST_TOPIC ? { topic } : { event_uid: eventUid }
  const plan = await control.faults.add({
    name: `trigger ${topic}: ${fault}`,
    rules: [{ on: "delivery", kind: fault, page_uid: options.pageUid, attempts: [1], ...only }],
  })
  try {
    const sent = await send(control, topic, options, eventUid)
    const answers = await Promise.all(sent.map((id) => answerTo(control, id)))
    return `${topic} (${fault}): ${sent.length} deliveries${sent.length === 0 ? NOBODY : ""}\n${answers.join("")}`
  } finally {
    await control.faults.remove(plan.id)
  }
}

const CAMPAIGN = "triggered-campaign"
const NOBODY = " (no subscriber of the page chose this topic)"

/** @returns the ids of the deliveries */
async function send(
  control: ControlClient,
  topic: string,
  { pageUid, data }: CommandOptions,
  eventUid?: string,
): Promise<string[]> {
  if (topic === TEST_TOPIC) {
    const { subscribers } = await control.subscribers.list({ page_uid: pageUid })
    const ids: string[] = []
    for (const { uid } of subscribers) ids.push((await control.subscribers.test(uid)).id)
    return ids
  }
  const { deliveries } = await control.emit({
    page_uid: pageUid,
    topic,
    data: data ?? sampleData(topic),
    event_uid: eventUid,
  })
  return deliveries.map(({ id }) => id)
}

/** What came of the first attempt, which is given the 10 s of interface §6.6 and a little more. */
async function answerTo(control: ControlClient, id: string): Promise<string> {
  for (const until = performance.now() + 15_000; performance.now() < until; ) {
    const [attempt] = (await control.deliveries.get(id)).attempts
    if (attempt) {
      const came = attempt.status ?? attempt.error ?? "no answer"
      return `  ${attempt.request.url}: ${came}, ${attempt.outcome}\n`
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return `  ${id}: not sent yet\n`
}

function sampleData(topic: string): unknown {
  if (topic.includes("_product.")) {
    const product = bareProduct({
      uid: "triggered-product",
      sku: "TRIGGERED",
      externalId: "triggered-external",
      campaignUid: CAMPAIGN,
      price: 99,
      url: "https://shop.example/triggered",
      name: "A triggered product",
    })
    return { ...product, suggestedRetailPrice: 129 }
  }
  const show = bareEvent({ id: "triggered-event", campaignId: CAMPAIGN, name: "A triggered show" })
  const currentStatus = topic.startsWith("shoppable") ? "clip" : "planned"
  const eventStartTimestamp = Date.now() + 3_600_000
  return { ...show, event: { ...show.event, currentStatus, eventStartTimestamp } }
}
