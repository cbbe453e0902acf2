import { type Knex, knex as knexOf } from "@medusajs/framework/mikro-orm/knex"
import { ProcessLeases } from "../process-leases"
import { type WorkRow, WorkRows } from "../work-rows"

const TABLE = `work_rows_of_${process.pid}`
const REASON = { code: "svc_timeout", message: "It did not answer.", fix: "Nothing to do." }
const LEASE_MS = 60_000

type Row = WorkRow & { connection_id: string; wanted: number; acknowledged: number }

describe("rows that are worked off", () => {
  let knex: Knex
  let leases: ProcessLeases
  let work: WorkRows<Row>

  beforeAll(async () => {
    knex = knexOf({ client: "pg", connection: process.env.DATABASE_URL ?? "", pool: { max: 8 } })
    await knex.raw(
      `CREATE TABLE ${TABLE} (id text PRIMARY KEY, connection_id text NOT NULL DEFAULT 'con',
        wanted int NOT NULL DEFAULT 1, acknowledged int NOT NULL DEFAULT 0, attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz, lease_token text, lease_until timestamptz, reason_code text, reason_message text,
        reason_fix text, reason_params jsonb, updated_at timestamptz NOT NULL DEFAULT now(), deleted_at timestamptz)`,
    )
  })
  beforeEach(async () => {
    await knex(TABLE).delete()
    leases = new ProcessLeases(knex)
    work = workOf(leases)
  })
  afterAll(async () => {
    await knex.raw(`DROP TABLE IF EXISTS ${TABLE}`)
    await knex.destroy()
  })

  const workOf = (of: ProcessLeases) =>
    new WorkRows<Row>(knex, of, {
      name: TABLE,
      open: "work.wanted > work.acknowledged",
      order: "work.next_attempt_at NULLS FIRST, work.id",
      generations: true,
    })
  const insert = (...ids: string[]) => knex(TABLE).insert(ids.map((id) => ({ id })))
  const claim = (of = work, limit = 10) => of.claim({ limit, leaseMs: LEASE_MS })
  const claimOne = async (of = work): Promise<Row> => {
    const [row] = await claim(of, 1)
    if (!row) throw new Error("nothing is due")
    return row
  }
  const stored = async (id: string) => knex(TABLE).where({ id }).first()
  const endLeases = () =>
    knex(TABLE).update({ lease_until: knex.raw("now() - interval '1 second'") })

  it("go to one of many that claim at once, and each to somebody", async () => {
    const ids = Array.from({ length: 60 }, (_, i) => `row_${i}`)
    await insert(...ids)
    const claimed = await Promise.all(ids.map(() => claim(workOf(new ProcessLeases(knex)), 3)))
    const taken = claimed.flat().map((row) => row.id)
    expect([taken.length, new Set(taken).size]).toEqual([60, 60])
    expect(await claim()).toEqual([])
  })

  it("are taken over when the lease of a worker that died ends, and the dead one changes nothing any more", async () => {
    await insert("row")
    const dead = await claimOne()
    expect(await claim()).toEqual([])
    expect((await work.dueInMs()).get("con")).toBeGreaterThan(LEASE_MS - 20_000)
    await endLeases()
    const heir = await claimOne(workOf(new ProcessLeases(knex)))
    expect(heir.attempts).toBe(2)
    expect(await work.settle(dead)).toBe(false)
    expect(await work.retry(dead, { inMs: 0, reason: REASON })).toBe(false)
    expect(await work.renew(dead, LEASE_MS)).toBe(false)
    expect(await stored("row")).toMatchObject({ acknowledged: 0, lease_token: heir.lease_token })
    expect(await work.settle(heir)).toBe(true)
    expect(await stored("row")).toMatchObject({ acknowledged: 1, attempts: 0, lease_token: null })
  })

  it("stay due where they were wanted again between claim and settle", async () => {
    await insert("row")
    const claimed = await claimOne()
    await knex(TABLE).increment("wanted")
    await work.settle(claimed)
    expect(await stored("row")).toMatchObject({ wanted: 2, acknowledged: 1 })
    expect((await work.dueInMs("con")).get("con")).toBeLessThanOrEqual(0)
    await work.settle(await claimOne())
    expect(await claim()).toEqual([])
    expect(await work.dueInMs()).toEqual(new Map())
  })

  it("wait with their reason where they failed, and count the attempt; where nothing was tried they do not", async () => {
    await insert("row")
    await work.retry(await claimOne(), { inMs: 30_000, reason: REASON })
    expect(await claim()).toEqual([])
    expect((await work.dueInMs()).get("con")).toBeGreaterThan(10_000)
    expect(await stored("row")).toMatchObject({ attempts: 1, reason_code: "svc_timeout" })

    await knex(TABLE).update({ next_attempt_at: null })
    await work.wait(await claimOne(), { inMs: 0, reason: REASON })
    await work.release(await claimOne())
    expect(await stored("row")).toMatchObject({ attempts: 1, lease_token: null })

    await work.giveUp(await claimOne(), REASON, { acknowledged: 1 })
    expect(await claim()).toEqual([])
    expect(await stored("row")).toMatchObject({ attempts: 2, reason_code: "svc_timeout" })
  })

  it("are passed over while a transaction holds them, and are as before where it is rolled back", async () => {
    await insert("a", "b")
    await knex
      .transaction(async (trx) => {
        expect(await work.lock(trx, { limit: 1 })).toMatchObject([{ id: "a" }])
        expect((await claim()).map((row) => row.id)).toEqual(["b"])
        await trx(TABLE).where({ id: "a" }).update({ acknowledged: 1 })
        throw new Error("killed")
      })
      .catch(() => undefined)
    expect((await claim()).map((row) => row.id)).toEqual(["a"])
  })

  it("are given back by a process that ends, which claims no more, but those of connections that the service has not answered", async () => {
    await insert("mine", "other", "unanswered")
    await knex(TABLE).where({ id: "unanswered" }).update({ connection_id: "slow" })
    const other = await claimOne(workOf(new ProcessLeases(knex)))
    await claim()
    leases.close()
    expect(await claim()).toEqual([])
    await leases.giveBack(["slow"])
    // Their tokens stay: whoever has them next knows that somebody was at work, and may have been heard.
    expect(await knex(TABLE).whereNotNull("lease_token")).toHaveLength(3)
    const free = (await claim(workOf(new ProcessLeases(knex)))).map((row) => row.id)
    expect(["mine", "other"].filter((id) => id !== other.id)).toEqual(free)
  })

  it("are claimed in another order where somebody asks for it", async () => {
    await insert("a", "b")
    const claim = { limit: 1, leaseMs: LEASE_MS }
    expect(await work.claim({ ...claim, order: "work.id DESC" })).toMatchObject([{ id: "b" }])
    expect(await work.claim(claim)).toMatchObject([{ id: "a" }])
  })

  it("are claimed by what narrows them only", async () => {
    await insert("a", "b")
    await knex(TABLE).where({ id: "b" }).update({ connection_id: "other" })
    const rows = await work.claim({
      where: "work.connection_id = :connectionId",
      bindings: { connectionId: "other" },
      limit: 5,
      leaseMs: LEASE_MS,
    })
    expect(rows.map((row) => row.id)).toEqual(["b"])
  })
})
