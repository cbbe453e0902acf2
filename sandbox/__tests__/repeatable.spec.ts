/** The same seed and the same scenario give the same run, whatever order the answers come in. */

import { Box, Receiver } from "./harness"

const box = Box.forAll()
const receiver = Receiver.forAll()

/** Answers late and early, so that no two runs get their answers in one order. */
function answerInDisorder(): void {
  receiver.answer((request, response) => {
    const bad = /"i":\d*[05]\b/.test(request.body.toString("utf8"))
    // No date, which would differ from run to run.
    response.sendDate = false
    response.statusCode = bad ? 503 : 200
    setTimeout(() => response.end("ok"), Math.random() * 8)
  })
}

async function run(deliveries: number, profiles: object = {}): Promise<string> {
  await box.control("POST", "/reset", { seed: "repeat" })
  await box.clock({ stop: true })
  await box.clock({ set: Date.UTC(2030, 0, 1) })
  await box.control("POST", "/profiles", { timestamps: "clock", ...profiles })
  await box.control("POST", "/faults", {
    rules: [
      { on: "delivery", kinds: ["status", "reset", "garbage"], status: 500, probability: 0.2 },
    ],
  })
  await box.subscribe(receiver.url, ["live_event.updated"])
  answerInDisorder()
  // One call after another, so that the scenario is the same; the deliveries overlap all the same.
  for (let i = 0; i < deliveries; i++) await box.emit("live_event.updated", { i })
  await box.clock({ run_until_idle: true })
  const response = await fetch(`${box.url}/_sandbox/journal?q=direction:out&limit=20000`)
  return response.text()
}

async function expectSameRuns(times: number, run: () => Promise<string>): Promise<void> {
  const first = await run()
  for (let again = 1; again < times; again++) {
    const next = await run()
    if (next === first) continue
    const at = [...next].findIndex((character, i) => character !== first[i])
    const around = (text: string) => text.slice(Math.max(0, at - 300), at + 200)
    throw new Error(`run ${again} differs at ${at}:\n${around(first)}\n---\n${around(next)}`)
  }
}

test("two hundred deliveries at once: byte-equal journals, twenty times", async () => {
  expect(JSON.parse(await run(200)).count).toBeGreaterThan(250)
  await expectSameRuns(20, () => run(200))
}, 280_000)

test("storms and overtaking are the same each time too", async () => {
  await expectSameRuns(6, () => run(40, { duplicates: "storm", order: "shuffled" }))
})
