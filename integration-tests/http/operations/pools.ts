import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { ROOT } from "../../../tools/child"
import { deliver, envelope, liveEvent } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import type { OperationsShop } from "./shop"

const KEY = "the key of the pools"
/** More than any pool has connections. */
const AT_ONCE = 12

export function describePools(shop: OperationsShop): void {
  it("the plugin has as many connections to the database as the docs say, however much waits for it", async () => {
    const { ask, knex, svc, storeUrl } = shop
    const { connectionId, pageUid } = shop.denmark
    const webhook = `/admin/svc/connections/${connectionId}/webhook`
    await ask("post", `${webhook}/key`, { signature_key: KEY })
    const lock = await knex().transaction()
    await lock.raw(
      `LOCK TABLE svc_delivery, svc_catalog_item, svc_attribution, svc_report_attempt, svc_show_order
       IN ACCESS EXCLUSIVE MODE`,
    )
    const url = `${storeUrl}/hooks/svc/${connectionId}`
    const sent: Promise<unknown>[] = []
    const send = () => {
      const body = envelope("live_event.created", liveEvent(`pools-${sent.length}`), { pageUid })
      sent.push(deliver({ url, key: KEY, body }))
    }
    for (let n = 0; n < AT_ONCE; n += 1) send()
    const { catalog, orders } = svc()
    const work = Array.from({ length: AT_ONCE }, () => [
      catalog.marks.mark(["prod_none"]),
      orders.reportAttempts.toldSoFar("svcatt_none"),
      orders.attributions.dueInMs(),
      orders.ledger.markDirty(["order_none"]),
      orders.orderChanges.differing(new Date(0), "", 1),
    ]).flat()
    /** How many were seen to wait at once, by the pool's name. */
    const most = new Map<string, number>()
    try {
      await eventually(
        async () => {
          // The receiver gives up after some seconds, and the service sends again.
          send()
          const { rows } = await knex().raw<{ rows: { name: string; n: number }[] }>(
            `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' GROUP BY 1`,
          )
          for (const { name, n } of rows) most.set(name, Math.max(n, most.get(name) ?? 0))
          return [...most]
        },
        () => most.get("svc background") === 4 && most.has("svc-receiver"),
      )
    } finally {
      await lock.rollback()
    }
    await Promise.all([...sent, ...work])
    const text = await readFile(join(ROOT, "docs/scaling.md"), "utf8")
    const [, background, receiver] =
      /at most (\d+) for all background work \(`databasePoolMax`\) and (\d+)\s+for the receiver/.exec(
        text,
      ) ?? []
    expect([...most.keys()].sort()).toEqual(["svc background", "svc-receiver"])
    expect(most.get("svc background")).toBe(Number(background))
    expect(most.get("svc-receiver")).toBeLessThanOrEqual(Number(receiver))
  })
}
