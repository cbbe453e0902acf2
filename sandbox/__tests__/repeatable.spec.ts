/** The same seed and the same scenario give the same run, whatever order the answers come in. */

import type { Snapshot } from "../store/snapshots"
import { Box, Receiver } from "./harness"

const box = Box.forAll()
const receivers = [Receiver.forAll(), Receiver.forAll()]

/** Answers late and early, so that no two runs get their answers in one order. */
function answerInDisorder(): void {
  for (const receiver of receivers) {
    receiver.answer((request, response) => {
      const bad = /"externalId":"p\d*[05]"/.test(request.body.toString("utf8"))
      // No date, which would differ from run to run.
      response.sendDate = false
      response.statusCode = bad ? 503 : 200
      setTimeout(() => response.end("ok"), Math.random() * 8)
    })
  }
}

/** A show with so many products, and two subscribers at addresses of their own that want to know when they go. */
async function scenario(products: number, profiles: object = {}): Promise<Snapshot> {
  await box.control("POST", "/reset", { seed: "repeat" })
  await box.clock({ stop: true })
  await box.clock({ set: Date.UTC(2030, 0, 1) })
  await box.control("POST", "/profiles", { timestamps: "clock", ...profiles })
  await box.control("POST", "/faults", {
    rules: [
      // One that counts what it strikes, one that draws.
      { on: "delivery", kind: "status", status: 502, skip: 30, times: 60, probability: 0.5 },
      { on: "delivery", kinds: ["status", "reset", "garbage"], status: 500, probability: 0.2 },
    ],
  })
  const { id } = await box.event()
  const sold = { price: 1, url: "https://shop.example/p" }
  for (let i = 0; i < products; i++) {
    const name = `p${i}`
    await box.addProduct(id, { external_id: name, name, sku: name, ...sold })
  }
  for (const { url } of receivers) await box.subscribe(url, ["live_event_product.deleted"])
  return (await box.control<{ snapshot: Snapshot }>("GET", "/snapshot")).snapshot
}

/**
 * One call, and all deliveries are due at one moment: more for each subscriber than go out at a time, so
 * that some wait for others' answers, and which subscriber goes on first differs from run to run.
 */
async function run(snapshot: Snapshot): Promise<string> {
  await box.control("POST", "/reset", { seed: "repeat" })
  await box.control("POST", "/restore", { snapshot })
  answerInDisorder()
  await box.control("DELETE", `/events/${snapshot.tables.events[0]?.id}`)
  await box.clock({ run_until_idle: true })
  const response = await fetch(`${box.url}/_sandbox/journal?q=direction:out&limit=20000`)
  return response.text()
}

async function expectSameRuns(times: number, snapshot: Snapshot): Promise<string> {
  const first = await run(snapshot)
  for (let again = 1; again < times; again++) {
    const next = await run(snapshot)
    if (next === first) continue
    const at = [...next].findIndex((character, i) => character !== first[i])
    const around = (text: string) => text.slice(Math.max(0, at - 300), at + 200)
    throw new Error(`run ${again} differs at ${at}:\n${around(first)}\n---\n${around(next)}`)
  }
  return first
}

test("two subscribers, a hundred deliveries for each at once: byte-equal journals, three times", async () => {
  const journal = await expectSameRuns(3, await scenario(100))
  const { entries } = JSON.parse(journal) as {
    entries: { subscriber_uid: string; fault: string | null }[]
  }
  expect(entries.length).toBeGreaterThan(250)
  const struck = entries.filter(({ fault }) => fault !== null)
  expect(new Set(struck.map(({ subscriber_uid }) => subscriber_uid)).size).toBe(2)
})

test("storms and overtaking are the same each time too", async () => {
  await expectSameRuns(2, await scenario(20, { duplicates: "storm", order: "shuffled" }))
})
