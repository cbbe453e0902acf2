import { Keyring } from "../../../src/modules/svc/connections/secrets"
import { deliver, envelope, liveEvent } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import { OLD_KEY, type OperationsShop } from "./shop"

const TOKEN = "sandbox-token-demo-page"

export function describeKeys(shop: OperationsShop): void {
  describe("encryption keys", () => {
    const { ask, health, knex, svc, command } = shop

    /** The shop's secrets as they were stored before a new key was put in front: a token and two signature keys. */
    const storedWith = async (keys: string) => {
      const keyring = new Keyring(keys)
      const { connectionId } = shop.denmark
      await ask("post", `/admin/svc/connections/${connectionId}/webhook/key`, {
        signature_key: "current",
      })
      const [webhook] = await svc().listSvcWebhooks({ connection_id: connectionId })
      const id = webhook?.id ?? ""
      await svc().updateSvcConnections({
        id: connectionId,
        api_token: keyring.encrypt(TOKEN, {
          table: "svc_connection",
          id: connectionId,
          column: "api_token",
        }),
      })
      const sealed = (column: string, key: string) =>
        keyring.encrypt(key, { table: "svc_webhook", id, column })
      await knex()("svc_webhook").update({
        signature_key: sealed("signature_key", "current"),
        signature_key_fingerprint: keyring.fingerprint("current"),
        candidate_key: sealed("candidate_key", "candidate"),
        key_version: knex().raw("key_version + 1"),
      })
    }
    const stored = async () => [
      ...(await knex()("svc_connection").pluck("api_token")),
      ...(await knex()("svc_webhook").select("signature_key", "candidate_key")).flatMap(
        Object.values,
      ),
    ]
    const problems = async () =>
      (await health()).problems.filter(({ code }: { code: string }) =>
        code.startsWith("encryption_key"),
      )
    const send = async (key: string) =>
      (
        await deliver({
          url: `${shop.storeUrl}/hooks/svc/${shop.denmark.connectionId}`,
          key,
          body: envelope("live_event.created", liveEvent(`e-${key}`)),
        })
      ).status

    it("are named where they are in use, before an old one is removed, and again when one is gone: rotate-keys leaves what it encrypted, and says what to do", async () => {
      await storedWith(OLD_KEY)
      expect((await health()).encryption_keys).toEqual([
        { id: "new", active: true, configured: true, secrets: 0 },
        { id: "old", active: false, configured: true, secrets: 3 },
      ])
      expect(await problems()).toEqual([
        expect.objectContaining({
          severity: "warning",
          code: "encryption_key_old",
          params: { keys: "old", count: 3 },
        }),
      ])
      await storedWith(`gone:${Buffer.alloc(32, 9).toString("base64")}`)
      expect(await problems()).toEqual([
        expect.objectContaining({
          severity: "critical",
          code: "encryption_key_removed",
          params: { keys: "gone", count: 3 },
        }),
      ])
      const before = await stored()
      const { code, stdout } = await command(["rotate-keys", "--apply"])
      expect(code).toBe(1)
      expect(stdout).toMatch(
        /Not readable: api_token of svc_connection svccon_.*→ Put that key back/s,
      )
      expect(await stored()).toEqual(before)
    })

    it("are changed by rotate-keys, first as a dry run, and everything is read as before", async () => {
      await storedWith(OLD_KEY)
      const before = await stored()
      const dry = await command(["rotate-keys"])
      expect([dry.code, dry.stderr]).toEqual([0, ""])
      expect(dry.stdout).toMatch(/old: 3 secrets \(old\)\n.*3 secrets would be .*--apply/s)
      expect(await stored()).toEqual(before)

      const applied = await command(["rotate-keys", "--apply", "--json"])
      expect([applied.code, JSON.parse(applied.stdout)]).toEqual([
        0,
        {
          ok: true,
          dry_run: false,
          active_key: "new",
          rotated: 3,
          unreadable: [],
          keys: [
            { id: "new", active: true, configured: true, secrets: 3 },
            { id: "old", active: false, configured: true, secrets: 0 },
          ],
        },
      ])
      for (const value of await stored()) expect(value).toMatch(/^v1\.new\./)
      // As the deliveries that it verifies name it from now on.
      expect(await knex()("svc_webhook").pluck("signature_key_fingerprint")).toEqual([
        svc().keyring.fingerprint("current"),
      ])
      expect(await problems()).toEqual([])
      const { data } = await ask(
        "post",
        `/admin/svc/connections/${shop.denmark.connectionId}/check`,
        {},
      )
      expect(data.check.ok).toBe(true)
      // It verifies what came after a rotation whose answer was lost, and ends that as it did before.
      await knex()("svc_webhook").update({
        rotation: "asked",
        rotating_until: new Date(Date.now() + 510_000),
      })
      expect(await send("current")).toBe(200)
      await svc().webhooks.admission.writeNotes()
      expect(await knex()("svc_webhook").pluck("rotation")).toEqual([null])
      await knex()("svc_webhook").update({ rotating_until: null })
      // Recognised by its encrypted value, which is another one now. A delivery is answered though that takes longer.
      await eventually(
        async () => {
          expect(await send("candidate")).toBe(200)
          return knex()("svc_webhook").whereNotNull("candidate_key")
        },
        ({ length }) => length === 0,
      )
      expect(await send("current")).toBe(401)
      expect((await command(["rotate-keys", "--json"])).stdout).toContain('"rotated": 0')
    })

    it("are not the ones that secrets need for having their id: health and rotate-keys name what is missing", async () => {
      await storedWith(`new:${Buffer.alloc(32, 9).toString("base64")}`)
      expect((await health()).encryption_keys).toEqual([
        { id: "new", active: true, configured: true, secrets: 0 },
        { id: "old", active: false, configured: true, secrets: 0 },
        { id: "new", active: false, configured: false, secrets: 3 },
      ])
      expect(await problems()).toEqual([
        expect.objectContaining({
          severity: "critical",
          code: "encryption_key_removed",
          params: { keys: "new", count: 3 },
        }),
      ])
      const before = await stored()
      const { code, stdout } = await command(["rotate-keys", "--apply"])
      expect(code).toBe(1)
      expect(stdout.match(/Not readable: /g)).toHaveLength(3)
      expect(stdout).toContain("new: 3 secrets (not in SVC_ENCRYPTION_KEYS)")
      expect(await stored()).toEqual(before)
    })
  })
}
