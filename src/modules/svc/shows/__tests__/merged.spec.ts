import { type Knex, knex as knexOf } from "@medusajs/framework/mikro-orm/knex"
import { IS_ON_SALE, SELLS } from "../../cart/campaign-state"
import { Migration20261123000000_svc } from "../../migrations/Migration20261123000000_svc"
import { eventsOfCampaigns } from "../merged"

const SCHEMA = `merged_of_${process.pid}`
const CAMPAIGN = { connection_id: "svccon_1", campaign_uid: "summer" }
const HOUR = 3_600_000

type Told = {
  status: string
  deadlineInMs?: number
  deleted?: boolean
  unpublished?: boolean
  absent?: boolean
  /** Only lists told of it, so nobody knows when: just now, or an hour ago. */
  listed?: "now" | "before"
}

describe("what stands for a campaign that has several events", () => {
  let knex: Knex

  beforeAll(async () => {
    knex = knexOf({
      client: "pg",
      connection: process.env.DATABASE_URL ?? "",
      searchPath: [SCHEMA],
    })
    await knex.raw(`CREATE SCHEMA ${SCHEMA}`)
    const migration = new Migration20261123000000_svc({} as never, {} as never)
    await migration.up()
    for (const sql of migration.getQueries()) {
      if (String(sql).includes("svc_live_event")) await knex.raw(String(sql))
    }
  })
  beforeEach(() => knex("svc_live_event").delete())
  afterAll(async () => {
    await knex.raw(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
    await knex.destroy()
  })

  /** @param events the one that was told first comes first */
  const standing = async (events: Told[]) => {
    const at = (ms: number) => new Date(Date.now() + ms)
    await knex("svc_live_event").insert(
      events.map(({ status, deadlineInMs, deleted, unpublished, absent, listed }, index) => ({
        ...CAMPAIGN,
        id: `svcle_${index}`,
        event_id: `event-${index}`,
        kind: "live",
        name: "Evening",
        status,
        is_published: !unpublished,
        shown: true,
        data: {},
        hash: `${index}`,
        rank: 1,
        asked: listed !== undefined,
        told_at: listed ? null : at(0),
        created_at: at(listed === "before" ? -HOUR : 0),
        occurred_at: listed ? new Date(0) : at((index - events.length) * 60_000),
        deadline: deadlineInMs === undefined ? null : at(deadlineInMs),
        deleted_in_svc_at: deleted ? at(0) : null,
        absent_at: absent ? at(0) : null,
      })),
    )
    const { rows } = await knex.raw<{
      rows: [{ status: string; deadline: Date | null; sells: boolean; onSale: boolean }]
    }>(`SELECT status, deadline, ${SELLS} AS sells, ${IS_ON_SALE} AS "onSale"
      FROM (${eventsOfCampaigns("true")}) event`)
    const [{ status, deadline, ...sale }] = rows
    const hours = deadline && Math.round((deadline.getTime() - Date.now()) / HOUR)
    return { stands: [status, hours], sale }
  }

  it.each<[string, Told[], unknown]>([
    ["the latest", [{ status: "live" }, { status: "vod" }], ["vod", null]],
    [
      "the latest that is not deleted",
      [{ status: "vod" }, { status: "live", deleted: true }],
      ["vod", null],
    ],
    [
      "the latest of the others, where one runs",
      [{ status: "live" }, { status: "vod" }, { status: "cancelled" }],
      ["vod", null],
    ],
    [
      "the running one until the deadline that the cancelled one told later: it is the campaign's, whichever event tells it",
      [
        { status: "live", deadlineInMs: 3 * HOUR },
        { status: "cancelled", deadlineInMs: HOUR },
      ],
      ["live", 1],
    ],
    [
      "the running one, where the cancelled one told later that the campaign has no deadline",
      [{ status: "live", deadlineInMs: -HOUR }, { status: "cancelled" }],
      ["live", null],
    ],
    [
      "the running one until its deadline, where the one that told another is deleted",
      [
        { status: "live", deadlineInMs: HOUR },
        { status: "planned", deadlineInMs: -HOUR, deleted: true },
        { status: "cancelled", deadlineInMs: 2 * HOUR, deleted: true },
      ],
      ["live", 1],
    ],
    [
      "the cancelled one, where it told later that the time is over",
      [
        { status: "live", deadlineInMs: HOUR },
        { status: "cancelled", deadlineInMs: -HOUR },
      ],
      ["cancelled", -1],
    ],
    [
      "the cancelled one, where none runs",
      [{ status: "planned" }, { status: "cancelled" }],
      ["cancelled", null],
    ],
    [
      "the cancelled one, where the other runs no more",
      [{ status: "live", deleted: true }, { status: "cancelled" }],
      ["cancelled", null],
    ],
    [
      "the one that only a list told of, and not a cancelled one: nobody knows which came first",
      [{ status: "clip", listed: "now" }, { status: "cancelled" }],
      ["clip", null],
    ],
    [
      "the cancelled one, where lists had told of the other before that",
      [{ status: "vod", listed: "before" }, { status: "cancelled" }],
      ["cancelled", null],
    ],
    [
      "the one that is not cancelled, of two that only lists told of",
      [
        { status: "cancelled", listed: "now" },
        { status: "planned", listed: "now" },
      ],
      ["planned", null],
    ],
    [
      "the cancelled one, where lists alone told of the other and do not any more",
      [{ status: "clip", listed: "now", absent: true }, { status: "cancelled" }],
      ["cancelled", null],
    ],
    [
      "the running one also where lists lack it: by that alone no cart is priced again",
      [{ status: "live", absent: true }, { status: "cancelled" }],
      ["live", null],
    ],
  ])("is %s", async (_which, events, expected) => {
    expect((await standing(events)).stands).toEqual(expected)
  })

  it.each<[string, Told, { sells: boolean; onSale: boolean }]>([
    ["it runs", { status: "live" }, { sells: true, onSale: true }],
    [
      "it runs, and is not published",
      { status: "live", unpublished: true },
      { sells: true, onSale: false },
    ],
    ["it is a clip", { status: "clip" }, { sells: true, onSale: true }],
    ["it is planned", { status: "planned" }, { sells: true, onSale: false }],
    ["it is over and not closed", { status: "vod" }, { sells: true, onSale: false }],
    [
      "it is over, its deadline ahead",
      { status: "vod", deadlineInMs: HOUR },
      { sells: true, onSale: true },
    ],
    [
      "its deadline is ahead",
      { status: "live", deadlineInMs: HOUR },
      { sells: true, onSale: true },
    ],
    [
      "its deadline has passed",
      { status: "live", deadlineInMs: -1 },
      { sells: false, onSale: false },
    ],
    ["it is cancelled", { status: "cancelled" }, { sells: false, onSale: false }],
    ["it is deleted", { status: "live", deleted: true }, { sells: false, onSale: false }],
  ])("says whether the campaign sells, and must: %s", async (_what, event, sale) => {
    expect((await standing([event])).sale).toEqual(sale)
  })
})
