/** The referee: names the one fault of each broken shop, and finds none in a right one. */

import { check } from "../referee"
import { FAULTS, FixtureShop, type ShopFault } from "./fixtures/shop"
import { Box } from "./harness"

const KEY = "a key as it was shown, with ø"
const box = Box.forAll()

/** The rules that a fault breaks, and no other. */
const BREAKS: Record<ShopFault, string[]> = {
  "verifies nothing": [
    "refuses-forged",
    "refuses-unsigned",
    "refuses-tampered",
    "refuses-other-key",
    "refuses-stale",
    "reads-signature-exactly",
    "reads-time-exactly",
    "rotates",
  ],
  "compares decoded base64": ["reads-signature-exactly"],
  "re-serialises": ["refuses-tampered", "verifies-raw-bytes", "keeps-odd-text"],
  "no freshness": ["refuses-stale"],
  "eventUid alone": ["applies-each-record"],
  "last delivery wins": ["keeps-order", "keeps-deletions"],
  "4xx on duplicates": ["takes-repeats", "takes-storms"],
  "drops ties": ["keeps-ties"],
  "answers before it stores": ["keeps-what-it-took"],
  "drops late deliveries": ["takes-late"],
}

async function judge(fault: ShopFault | null) {
  // The clock runs: the shop lives in real time.
  await box.clock({ run: true })
  const shop = await FixtureShop.start(KEY, fault)
  try {
    return await check({ url: shop.url, key: KEY, shop: shop.driver, patienceMs: 1_000 })
  } finally {
    await shop.close()
  }
}

test("finds nothing broken in a right shop, and leaves nothing but https undecided", async () => {
  const { findings } = await judge(null)
  expect(findings.filter(({ verdict }) => verdict === "broken")).toEqual([])
  expect(findings.filter(({ verdict }) => verdict === "undecided").map(({ rule }) => rule)).toEqual(
    ["is-https"],
  )
  expect(new Set(findings.map(({ rule }) => rule)).size).toBe(findings.length)
})

test.each([...FAULTS])("names the fault of a shop that has one: %s", async (fault) => {
  const { findings } = await judge(fault)
  const found = findings.filter(({ verdict }) => verdict === "broken")
  expect(found.map(({ rule }) => rule).sort()).toEqual([...BREAKS[fault]].sort())
  expect(found.every(({ evidence }) => evidence.length > 5)).toBe(true)
})

test("decides nothing about a receiver that has another key, and says so", async () => {
  await box.clock({ run: true })
  const shop = await FixtureShop.start(KEY, null)
  const { findings, broken } = await check({ url: shop.url, key: "another" })
  await shop.close()
  expect([broken, findings[0]?.rule]).toEqual([1, "takes-signed"])
  expect(findings[1]?.evidence).toContain("key")
})

test("speaks as the subscriber with this address, and leaves the shop with the key that it had", async () => {
  await box.clock({ run: true })
  const subscribers: string[] = []
  const shop = await FixtureShop.start(KEY, null, ({ headers }) => {
    subscribers.push(String(headers["x-svc-subscriber-uid"]))
  })
  const { webhookUid } = await box.subscribe(shop.url, ["live_event.updated"])
  const options = { url: shop.url, key: KEY, sandboxUrl: box.url, patienceMs: 300 }
  await check({ ...options, shop: shop.driver })
  const again = await check(options)
  await shop.close()
  expect(new Set(subscribers)).toContain(webhookUid)
  expect(subscribers).not.toContain("whk_referee")
  expect(again.findings[0]).toMatchObject({ rule: "takes-signed", verdict: "kept" })
})
