import { type Knex, knex as knexOf } from "@medusajs/framework/mikro-orm/knex"
import { type Endpoint, errorForStatus } from "../../../../client"
import { Migration20261123000000_svc } from "../../migrations/Migration20261123000000_svc"
import { Holds } from "../holds"

const SCHEMA = `holds_of_${process.pid}`
const CONNECTION = "svccon_1"

describe("holds", () => {
  let knex: Knex
  let holds: Holds

  beforeAll(async () => {
    knex = knexOf({
      client: "pg",
      connection: process.env.DATABASE_URL ?? "",
      searchPath: [SCHEMA],
      pool: { max: 8 },
    })
    await knex.raw(`CREATE SCHEMA ${SCHEMA}`)
    const migration = new Migration20261123000000_svc({} as never, {} as never)
    await migration.up()
    for (const sql of migration.getQueries()) {
      if (/svc_(hold|catalog_item)\b/.test(String(sql))) await knex.raw(String(sql))
    }
    holds = new Holds(knex)
  })
  beforeEach(() => knex("svc_hold").delete())
  afterAll(async () => {
    await knex.raw(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
    await knex.destroy()
  })

  const failed = (status: number, endpoint: Endpoint = "orders", probe = false) =>
    holds.failed(
      knex,
      { connectionId: CONNECTION, endpoint, probe },
      errorForStatus(status, { what: "report an order", excerpt: null, retryAfterMs: null }),
    )
  const kindOf = async (endpoint: Endpoint) => {
    const answer = await holds.ask(CONNECTION, endpoint)
    return answer.kind === "go" && answer.probe ? "probe" : answer.kind
  }
  const end = () => knex("svc_hold").update({ until: knex.raw("now() - interval '1 second'") })

  it("begin with the fifth failure in a row, and end with the probe that succeeds", async () => {
    for (let times = 0; times < 4; times++) await failed(503)
    expect(await kindOf("orders")).toBe("go")
    await failed(503)
    expect(await kindOf("orders")).toBe("held")
    expect(await kindOf("listings")).toBe("go")
    // A call that was under way meanwhile does not end it.
    await holds.wentWell(CONNECTION, "orders", false)
    expect(await kindOf("orders")).toBe("held")
    await end()
    expect(await kindOf("orders")).toBe("probe")
    await holds.wentWell(CONNECTION, "orders", true)
    expect(await kindOf("orders")).toBe("go")
    expect(await holds.list()).toEqual([])
  })

  it("let one of many through once they are over, and hold again where it fails", async () => {
    await failed(403)
    await end()
    const kinds = await Promise.all(Array.from({ length: 20 }, () => kindOf("orders")))
    expect(kinds.filter((kind) => kind === "probe")).toHaveLength(1)
    expect(kinds.filter((kind) => kind === "held")).toHaveLength(19)
    await failed(403, "orders", true)
    const [hold] = await holds.list()
    expect(hold).toMatchObject({
      endpoint: "orders",
      failures: 2,
      reason: { code: "svc_forbidden" },
    })
    expect(hold?.ms).toBeGreaterThan(40_000)
  })

  it("are for everything where the token is refused, and one call finds out for all", async () => {
    await failed(401, "webhooks")
    for (const endpoint of ["orders", "listings", "webhooks"] as const) {
      expect(await holds.ask(CONNECTION, endpoint)).toMatchObject({ kind: "held", endpoint: "all" })
    }
    await end()
    expect([await kindOf("orders"), await kindOf("listings")]).toEqual(["probe", "held"])
    // It answered about this one thing only: nobody knows of the token.
    await holds.answered(CONNECTION, "orders", true)
    expect(await kindOf("listings")).toBe("held")
    await holds.wentWell(CONNECTION, "orders", true)
    expect(await kindOf("listings")).toBe("go")
  })

  it("are as long as the probe's answer says, and not as long as the probe had", async () => {
    await failed(429)
    await end()
    expect(await kindOf("orders")).toBe("probe")
    await failed(429, "orders", true)
    const [hold] = await holds.list()
    expect(hold?.ms).toBeLessThan(5_000)
  })

  it("end when a person acts, but for the patience that the service asked for", async () => {
    await failed(403, "listings")
    await failed(401, "webhooks")
    await failed(429, "orders")
    expect((await holds.heldForMs("listings")).get(CONNECTION)).toBeGreaterThan(10_000)
    await holds.resume(CONNECTION)
    expect(await holds.list()).toMatchObject([{ endpoint: "orders" }])
    await holds.resume(CONNECTION, { moved: true })
    expect(await holds.list()).toEqual([])
  })
  it("of who judges calls by itself count once, however many calls met them, and the longest is what stands", async () => {
    const reason = { code: "service_fails", message: "503.", fix: "Nothing to do." }
    const hold = (ms: number) => holds.hold(CONNECTION, "products", { ms, reason, counts: true })
    await Promise.all([hold(60_000), hold(20_000), hold(60_000)])
    const standing = async () => (await holds.of("products", [CONNECTION])).get(CONNECTION)
    expect(await standing()).toMatchObject({ failures: 1, reason: { code: "service_fails" } })
    expect((await standing())?.ms).toBeGreaterThan(30_000)
    expect((await holds.of("orders")).size).toBe(0)
    // Over, and no call has succeeded since: the next is longer. It is told of while a product waits for it.
    await end()
    expect(await standing()).toBeUndefined()
    await knex("svc_catalog_item").insert({
      id: "svcitem_1",
      connection_id: CONNECTION,
      product_id: "prod_1",
    })
    expect(await standing()).toMatchObject({ ms: 0, until: null, failures: 1 })
    await hold(60_000)
    expect(await standing()).toMatchObject({ failures: 2 })
    // A refused token concerns every endpoint.
    await end()
    await failed(401, "webhooks")
    expect(await standing()).toMatchObject({ endpoint: "all" })
  })
})
