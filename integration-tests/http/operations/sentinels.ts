import { inspect } from "node:util"
import { deliver, envelope, liveEvent } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import { ENCRYPTION_KEYS, MONITORING_TOKEN, type OperationsShop } from "./shop"

/** Texts that occur nowhere else; each is a secret of another kind. */
const SECRETS = {
  token: "sentinel-token-4f1c9a7e2b",
  refusedToken: "sentinel-refused-8d20e6c5f3",
  pastedKey: "sentinel-signature-key-91b7d4",
  customHeader: "sentinel-header-value-c3a85f",
} as const

/** How a secret may look in a text: as it is, in JSON, in an address, and in the encodings that headers and dumps use. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    Buffer.from(`Token ${secret}`).toString("base64").replace(/=+$/, ""),
  ]
}

const READ = [
  "connections",
  "products",
  "deliveries",
  "live-events",
  "orders",
  "campaigns",
  "health",
  "overview",
  "results",
  "ledger",
]

export function describeSentinels(shop: OperationsShop): void {
  it("no secret gets into a log, an error, an answer, a file or the database, whatever goes wrong", async () => {
    const { ask, knex, command, getContainer } = shop
    const logger = getContainer().resolve("logger")
    const logged: string[] = []
    const spies = (["error", "warn", "info", "debug", "log"] as const).map((level) =>
      jest.spyOn(logger, level).mockImplementation((...said: unknown[]) => {
        logged.push(inspect(said, { depth: 9 }))
      }),
    )
    const answers: string[] = []
    const told = async (...call: Parameters<typeof ask>) => {
      const answer = await ask(...call)
      answers.push(inspect({ data: answer.data, headers: answer.headers }, { depth: 12 }))
      return answer
    }
    try {
      // The page's token is the sentinel, so it is really sent with every call.
      await shop.sandbox.control("/pages", {
        uid: "sentinel-page",
        name: "Sentinel",
        api_token: SECRETS.token,
      })
      const settings = shop.anotherPage("sentinel-page", SECRETS.token)
      const { data } = await told("post", "/admin/svc/connections", settings)
      const { id, status } = data.connection
      expect(status).toBe("active")
      const path = `/admin/svc/connections/${id}`
      const registered = await told("post", `${path}/webhook`, {
        custom_headers: [{ name: "X-Gateway", value: SECRETS.customHeader }],
      })
      expect(registered.status).toBe(200)
      await told("post", `${path}/webhook/rotate`, {})
      await told("post", `${path}/webhook/key`, { signature_key: SECRETS.pastedKey })
      // The seconds are over in which an unknown key may be the new one.
      await knex()("svc_webhook").update({ rotating_until: new Date(0) })
      const url = `${shop.storeUrl}/hooks/svc/${id}`
      const body = envelope("live_event.created", liveEvent("sentinel"), {
        pageUid: "sentinel-page",
      })
      for (const key of [SECRETS.pastedKey, "wrong"]) {
        // Sent again where the receiver asks for that, as the service does.
        const answer = await eventually(
          () => deliver({ url, key, body }),
          ({ status }) => status !== 503,
        )
        expect([key, answer.status]).toEqual([key, key === "wrong" ? 401 : 200])
        answers.push(inspect(answer, { depth: 9 }))
      }
      const feed = await told("post", `${path}/feed`, {})
      await told("post", `${path}/sync`, {})
      // The service fails in every way that answers, and repeats our headers as a debug page does.
      const debugPage = { debug: { headers: { Authorization: `Token ${SECRETS.token}` } } }
      for (const fault of [
        { kind: "status", status: 500, body: debugPage },
        { kind: "status", status: 422, body: debugPage },
        { kind: "status", status: 200, body: `<pre>Authorization: Token ${SECRETS.token}</pre>` },
        { kind: "half_body" },
        { kind: "garbage" },
        { kind: "wrong_content_type" },
        { kind: "reset" },
      ]) {
        await shop.sandbox.control("/faults", { on: "webhooks", ...fault })
        await told("post", `${path}/check`, {})
        await told("get", `${path}/webhook/doctor`)
        await shop.sandbox.endFaults()
      }
      // Refused tokens, and bodies that are refused with the token in them.
      await told("post", path, { api_token: SECRETS.refusedToken })
      await told("post", path, { api_token: `${SECRETS.refusedToken}\n` })
      await told("post", "/admin/svc/connections", { api_token: SECRETS.refusedToken, surprise: 1 })
      await told("post", path, { base_url: "https://elsewhere.example" })
      await told("post", `${path}/check`, {})
      for (const name of READ) await told("get", `/admin/svc/${name}`)
      await told("get", path)
      await told("get", `${path}/webhook`)
      await told("get", `${path}/sync`)
      const metrics = await shop.api.get("/hooks/svc/metrics", {
        headers: { authorization: `Bearer ${MONITORING_TOKEN}` },
      })
      answers.push(String(metrics.data))
      for (const args of [
        ["doctor", "--json"],
        ["rotate-keys", "--json"],
        ["export", "ledger"],
      ]) {
        const { stdout, stderr } = await command(args)
        answers.push(stdout, stderr)
      }
      expect(await knex()("svc_delivery").pluck("topic")).toEqual(["live_event.created"])
      // Every row of every table of the store: what a dump has.
      const tables: string[] = await knex()("pg_tables")
        .where({ schemaname: "public" })
        .pluck("tablename")
      expect(tables.length).toBeGreaterThan(100)
      const dump: string[] = []
      for (const table of tables) {
        const { rows } = await knex().raw<{ rows: { row: string }[] }>(
          "SELECT to_jsonb(t)::text AS row FROM ?? t",
          [table],
        )
        for (const { row } of rows) dump.push(`${table} ${row}`)
      }
      const [newKey = "", oldKey = ""] = ENCRYPTION_KEYS.split(",").map(
        (entry) => entry.split(":")[1] ?? "",
      )
      const secrets = {
        ...SECRETS,
        monitoring: MONITORING_TOKEN,
        newKey,
        oldKey,
        feed: feed.data.feed.password,
      }
      const found: string[] = []
      for (const [name, secret] of Object.entries(secrets)) {
        const forms = formsOf(secret)
        for (const [where, texts] of Object.entries({ log: logged, answer: answers, dump })) {
          // The feed's password is shown once, to whoever asked for it.
          if (name === "feed" && where === "answer") continue
          for (const text of texts) {
            const form = forms.find((one) => text.includes(one))
            if (form) found.push(`${name} in ${where}: ${text.slice(0, 200)}`)
          }
        }
      }
      expect(found).toEqual([])
      // What was looked through is really there.
      expect(
        dump.some((row) => row.startsWith("svc_connection ") && row.includes("sentinel-page")),
      ).toBe(true)
      expect(logged.some((line) => line.includes("svc: call "))).toBe(true)
      expect(answers.length).toBeGreaterThan(30)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })
}
