/** The referee: names the faults of each broken shop, and finds none in a right one. */

import { check } from "../referee"
import { FixtureShop, type ShopFault } from "./fixtures/shop"
import { Box } from "./harness"

const KEY = "a key as it was shown, with ø"
const box = Box.forAll()

/** Faults that have no rule in common, and the rules that they break, no other. */
const BROKEN_SHOPS: [ShopFault[], string[]][] = [
  [
    ["verifies nothing"],
    [
      "refuses-forged",
      "refuses-unsigned",
      "refuses-tampered",
      "refuses-other-key",
      "refuses-stale",
      "reads-signature-exactly",
      "reads-time-exactly",
      "rotates",
    ],
  ],
  [
    ["compares decoded base64", "4xx on duplicates", "drops ties"],
    ["reads-signature-exactly", "takes-repeats", "takes-storms", "keeps-ties"],
  ],
  [
    ["re-serialises", "last delivery wins"],
    ["refuses-tampered", "verifies-raw-bytes", "keeps-odd-text", "keeps-order", "keeps-deletions"],
  ],
  [
    ["no freshness", "eventUid alone", "drops late deliveries"],
    ["refuses-stale", "applies-each-record", "takes-late"],
  ],
  [["answers before it stores"], ["keeps-what-it-took"]],
]

async function judge(faults: ShopFault[]) {
  // The clock runs: the shop lives in real time.
  await box.clock({ run: true })
  const shop = await FixtureShop.start(KEY, faults)
  try {
    return await check({ url: shop.url, key: KEY, shop: shop.driver, patienceMs: 1_000 })
  } finally {
    await shop.close()
  }
}

test("finds nothing broken in a right shop, and leaves nothing but https undecided", async () => {
  const { findings } = await judge([])
  expect(findings.filter(({ verdict }) => verdict !== "kept")).toMatchObject([
    { rule: "is-https", verdict: "undecided" },
  ])
  expect(new Set(findings.map(({ rule }) => rule)).size).toBe(findings.length)
})

test("names the faults of each shop that has some, and no others", async () => {
  const judged = await Promise.all(
    BROKEN_SHOPS.map(async ([faults]) => {
      const { findings } = await judge(faults)
      const found = findings.filter(({ verdict }) => verdict === "broken")
      expect(found.every(({ evidence }) => evidence.length > 5)).toBe(true)
      return [faults, found.map(({ rule }) => rule).sort()]
    }),
  )
  expect(judged).toEqual(BROKEN_SHOPS.map(([faults, rules]) => [faults, [...rules].sort()]))
})

test("decides nothing about a receiver that has another key, and says so", async () => {
  await box.clock({ run: true })
  const shop = await FixtureShop.start(KEY)
  const { findings, broken } = await check({ url: shop.url, key: "another" })
  await shop.close()
  expect([broken, findings[0]?.rule]).toEqual([1, "takes-signed"])
  expect(findings[1]?.evidence).toContain("key")
})

test("speaks as the subscriber with this address, and leaves the shop with the key that it had", async () => {
  await box.clock({ run: true })
  const subscribers: string[] = []
  const shop = await FixtureShop.start(KEY, [], ({ headers }) => {
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
