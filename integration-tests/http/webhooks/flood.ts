/** What strangers may cost: nothing of what the service sends. Slow senders, and a database that hangs: `package/unwell-database`. */
import { randomUUID } from "node:crypto"
import { type Answer, envelope, liveEvent } from "../../setup/deliveries"
import { KEY, type WebhooksShop } from "./shop"

export function describeFloods(shop: WebhooksShop): void {
  const { hookUrl, keyIsKnown, knex, send } = shop

  const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]
  describe("a flood", () => {
    beforeEach(keyIsKnown)

    it("never holds back what is verified, from whatever address it comes", async () => {
      const body = () => envelope("live_event.created", liveEvent(randomUUID()))
      const headers = { "x-forwarded-for": "203.0.113.50" }
      const flood = async (key: string) => {
        for (let round = 0; round < 30; round += 1) {
          const answers = await Promise.all(
            Array.from({ length: 20 }, () => send(body(), { key, headers })),
          )
          if (statuses(answers).includes(429)) return true
        }
        return false
      }
      // Not one of its deliveries was verified before the flood: behind a proxy everybody has one address.
      expect(await flood("a guess")).toBe(true)
      expect((await send(body(), { headers })).status).toBe(200)
      expect((await send(body(), { headers, key: "a guess" })).status).toBe(429)

      // While a key changes a mismatch is 503, and a flood of them ends all the same.
      await knex()("svc_webhook").update({
        rotation: "answered",
        rotating_until: new Date(Date.now() + 600_000),
        key_version: knex().raw("key_version + 1"),
      })
      headers["x-forwarded-for"] = "203.0.113.51"
      expect((await send(body(), { headers, key: "a guess" })).status).toBe(503)
      expect(await flood("a guess")).toBe(true)
      expect((await send(body(), { headers, key: KEY })).status).toBe(200)
    })

    it("of guesses at many connections costs one statement at a time, and tells nobody which there are", async () => {
      const guess = (connection: string) =>
        send(envelope("live_event.created", liveEvent("e1")), {
          key: "a guess",
          url: hookUrl().replace(shop.denmark.connectionId, connection),
          headers: { "x-forwarded-for": `203.0.113.${60 + (guessed++ % 100)}` },
        })
      let guessed = 0
      const answers = await Promise.all([
        ...Array.from({ length: 100 }, (_, index) => guess(`svccon_${index}`)),
        guess(shop.denmark.connectionId),
      ])
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(
        1,
      )
      expect((await send(envelope("live_event.created", liveEvent("e1")))).status).toBe(200)
    })
  })
}
