/** What the command brings beside a bare sandbox: addresses, triggers, the referee. */

import http from "node:http"
import { checkCommand } from "../cli/check"
import { explain, readCommand, UsageError } from "../cli/command-line"
import { steer } from "../cli/steer"
import { trigger } from "../cli/trigger"
import { TOPICS } from "../contract/interface"
import { FixtureShop } from "./fixtures/shop"
import { Box, isSignedWith, Receiver } from "./harness"

const receiver = Receiver.forAll()

async function withBox<T>(options: Parameters<typeof Box.start>[0], use: (box: Box) => Promise<T>) {
  const box = await Box.start(options)
  try {
    return await use(box)
  } finally {
    await box.close()
  }
}

test("--public-url: what the sandbox links to, and a name that it answers to", async () => {
  await withBox({ publicUrl: "https://svc.shop.example/" }, async (box) => {
    const event = await box.event()
    expect(event.data.event.coverPhotoPath).toMatch(/^https:\/\/svc\.shop\.example\/_sandbox\//)
    expect(await statusFor(box, "svc.shop.example")).toBe(200)
  })
})

test("a foreign name in Host is refused, whatever is asked for", async () => {
  await withBox({}, async (box) => {
    for (const host of ["evil.example", "evil.example:9400", "127.0.0.1.evil.example"]) {
      for (const path of ["/_sandbox/state", "/", "/player-api/show", "/api/v1/webhooks"]) {
        expect([host, path, await statusFor(box, host, path)]).toEqual([host, path, 403])
      }
    }
    for (const host of [
      "localhost",
      "127.0.0.1",
      "[::1]:9400",
      "svc-sandbox:9400",
      "svc.localhost",
    ]) {
      expect([host, await statusFor(box, host)]).toEqual([host, 200])
    }
  })
})

function statusFor(box: Box, host: string, path = "/_sandbox/health"): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(box.url)
    const request = http.get({ port, path, host: "127.0.0.1", headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on("error", reject)
  })
}

test("trigger: a readable delivery of any topic", async () => {
  await withBox({}, async (box) => {
    await box.subscribe(receiver.url, TOPICS)
    for (const topic of TOPICS) {
      const said = await trigger(readCommand([topic, "--sandbox", box.url]))
      expect(said).toBe(`${topic}: 1 deliveries\n`)
    }
    await box.settle()
    expect(receiver.topics().sort()).toEqual([...TOPICS].sort())
    await trigger(readCommand(["live_event.updated", "--data", '{"a":1}', "--sandbox", box.url]))
    await box.settle()
    expect(receiver.envelopes().at(-1)?.data).toEqual({ a: 1 })
  })
})

test("trigger --fault: only these deliveries are wrong, and it says what was answered", async () => {
  await withBox({}, async (box) => {
    receiver.answer((request, response) => {
      response.statusCode = isSignedWith(signatureKey, request) ? 200 : 401
      response.end()
    })
    const { signatureKey = "" } = await box.subscribe(receiver.url, TOPICS)
    for (const topic of ["live_event.updated", "svc.test"]) {
      const run = (...more: string[]) =>
        trigger(readCommand([topic, "--sandbox", box.url, ...more]))
      expect(await run("--fault", "tampered_body")).toBe(
        `${topic} (tampered_body): 1 deliveries\n  ${receiver.url}: 401, drop\n`,
      )
      expect(await box.control("GET", "/faults")).toEqual({ faults: [] })
      await run()
      await box.settle()
      expect((await box.deliveries(`?topic=${topic}`)).at(-1)?.state).toBe("delivered")
    }
    expect(() => readCommand(["svc.test", "--fault", "explode"])).toThrow("tampered_body")
  })
})

test("trigger says what the sandbox refused, not that the sandbox could not start", async () => {
  await withBox({}, async (box) => {
    const args = ["live_event.updated", "--page", "no-page", "--sandbox", box.url]
    const refused = await trigger(readCommand(args)).catch((error: Error) => error)
    expect(explain(refused as Error)).toMatch(/^There is no page "no-page"/)
  })
  const nobody = ["svc.test", "--sandbox", "http://127.0.0.1:9"]
  const alone = await trigger(readCommand(nobody)).catch((error: Error) => error)
  expect(explain(alone as Error)).toMatch(/does not answer/)
  expect(explain(new UsageError("No topic."))).toContain("Usage: svc-sandbox")
})

test("clock, faults, profiles, subscribers and journal steer the sandbox that runs", async () => {
  await withBox({}, async (box) => {
    const { webhookUid } = await box.subscribe(receiver.url, ["live_event.updated"])
    const run = (name: string, ...words: string[]) => steer(name, words, box.url)
    expect(await run("clock", "stop")).toContain('"running": false')
    const before = (await box.clock({ settle: true })).now
    await run("clock", "13m")
    expect((await box.clock({ settle: true })).now - before).toBe(780_000)

    await run("faults", '{"on": "price", "kind": "status", "status": 500}')
    expect(await run("faults")).toContain('"on": "price"')
    await run("faults", "off")
    expect(await run("faults")).toBe("[]\n")

    const set = await run("profiles", "listing=array", "batch_limit=3")
    expect(set).toContain("listing=array  (data, array")
    expect(set).toContain("batch_limit=3  (number)")
    expect(await run("profiles", "off")).toContain("done")
    expect(await run("profiles")).toContain("listing=data")

    expect(await run("subscribers")).toContain(webhookUid)
    await run("subscribers", webhookUid, "test")
    expect(await run("journal", "topic:svc.test")).toMatch(/out POST .* svc\.test 200\n$/)
    const { words } = readCommand(["--", "-topic:svc.test"])
    expect(await run("journal", ...words)).not.toContain("svc.test")
    await expect(run("faults", "{")).rejects.toThrow(UsageError)
    await expect(run("profiles", "listing")).rejects.toThrow(UsageError)
    await expect(run("subscribers", webhookUid)).rejects.toThrow(UsageError)
  })
})

test("check: prints a line for each rule and fails where one is broken", async () => {
  await withBox({}, async (box) => {
    const shop = await FixtureShop.start("k", ["no freshness"])
    const { signatureKey } = await box.subscribe(shop.url, ["live_event.updated"])
    const printed: string[] = []
    const run = (...args: string[]) =>
      checkCommand(readCommand([...args, "--sandbox", box.url]), (text) => printed.push(text))
    // The key is the one that the subscriber of this address was given.
    await shop.driver.setKey?.(signatureKey ?? "")
    expect(await run(shop.url)).toBe(1)
    expect(printed.find((text) => text.startsWith("BROKEN"))).toContain("refuses-stale")
    expect(printed.at(-1)).toMatch(/^\d+ kept, 1 broken, \d+ not decided\n$/)
    await expect(run("http://127.0.0.1:9/unknown")).rejects.toThrow("--key")
    await expect(run()).rejects.toThrow(UsageError)
    await shop.close()
  })
})

test("trigger --fault: a kind that is for calls alone is refused before anything is sent", () => {
  expect(() => readCommand(["live_event.updated", "--fault", "throttle"])).toThrow(/tampered_body/)
  expect(() => readCommand(["live_event.updated", "--fault", "throttle"])).not.toThrow(/, throttle/)
})
