/** What strangers, slow senders and a database that hangs may cost: nothing of what the service sends. */
import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { type Answer, envelope, liveEvent, sign } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import { KEY, type WebhooksShop } from "./shop"

const KIB = 1024
/** Looks like a signature, so that the body has to be waited for. */
const ANY_SIGNATURE = sign("nobody's key", 0, "")

export function describeFloods(shop: WebhooksShop): void {
  const { hookUrl, inbox, keyIsKnown, knex, send, settled, svc } = shop

  const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]
  const large = (name: string) =>
    JSON.stringify(
      envelope("live_event.created", liveEvent(name, { description: "x".repeat(256 * KIB) })),
    )

  /** Requests whose bodies come a byte at a time, or not at all. */
  async function slowSenders(count: number, head: string): Promise<Socket[]> {
    const { hostname, port, pathname } = new URL(hookUrl())
    return Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect(Number(port), hostname, () => {
              socket.write(
                `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
                  `x-svc-timestamp: ${Date.now()}\r\nx-svc-signature: ${ANY_SIGNATURE}\r\n${head}`,
              )
              resolve(socket)
            })
            socket.once("error", reject)
          }),
      ),
    )
  }

  describe("a flood", () => {
    beforeEach(keyIsKnown)

    it("of large bodies leaves nothing in memory and no statement behind while the database hangs", async () => {
      const lock = await knex().transaction()
      await lock.raw("LOCK TABLE svc_delivery IN ACCESS EXCLUSIVE MODE")
      const seen = new Set<number>()
      try {
        for (const round of ["first", "second"]) {
          const answers = await Promise.all(
            Array.from({ length: 60 }, (_, index) => send(large(`${round}-${index}`))),
          )
          // 408 where the machine is too busy to read a body in time.
          for (const status of statuses(answers)) {
            expect([round, [503, 408].includes(status)]).toEqual([round, true])
            seen.add(status)
          }
          expect(svc().webhooks.admission.heldBytes).toBe(0)
        }
        // Bodies came whole as well, and met the database that hangs.
        expect([...seen]).toContain(503)
        await eventually(
          () =>
            knex().raw(
              `SELECT pid FROM pg_stat_activity
               WHERE application_name = 'svc-receiver' AND state = 'active' AND wait_event_type = 'Lock'`,
            ),
          ({ rows }) => rows.length === 0,
        )
      } finally {
        await lock.rollback()
      }
      expect((await send(envelope("live_event.created", liveEvent("e1")))).status).toBe(200)
      expect(await inbox()).toHaveLength(1)
    })

    it("of drops does not shut out the service: what is announced, or comes byte by byte, takes no room", async () => {
      const announced = await slowSenders(80, `content-length: ${1_024 * KIB}\r\n\r\n`)
      const dripping = await slowSenders(80, "transfer-encoding: chunked\r\n\r\n")
      const drip = setInterval(() => {
        for (const socket of dripping) socket.write("1\r\nx\r\n")
      }, 100)
      try {
        await eventually(
          async () => svc().webhooks.admission.heldBytes,
          (bytes) => bytes > 0,
        )
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            send(envelope("live_event.created", liveEvent(`e${index}`))),
          ),
        )
        expect(statuses(answers)).toEqual([200])
        // Room is taken by bytes that came: 80 MiB were announced.
        expect(svc().webhooks.admission.heldBytes).toBeLessThan(8 * 1_024 * KIB)
      } finally {
        clearInterval(drip)
        for (const socket of [...announced, ...dripping]) socket.destroy()
      }
      await settled()
      expect(await inbox()).toHaveLength(20)
    })

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
