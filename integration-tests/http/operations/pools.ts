import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { deliver, envelope, liveEvent } from "../../setup/deliveries"
import { eventually } from "../../setup/market"
import { ROOT } from "../../setup/medusa"
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
    const connections = async () =>
      (
        await knex().raw<{ rows: { name: string; n: number }[] }>(
          `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' GROUP BY 1 ORDER BY 1`,
        )
      ).rows
    const lock = await knex().transaction()
    await lock.raw("LOCK TABLE svc_delivery, svc_catalog_item IN ACCESS EXCLUSIVE MODE")
    const url = `${storeUrl}/hooks/svc/${connectionId}`
    const sent = Array.from({ length: AT_ONCE }, (_, index) =>
      deliver({
        url,
        key: KEY,
        body: envelope("live_event.created", liveEvent(`pools-${index}`), { pageUid }),
      }),
    )
    const marks = Array.from({ length: AT_ONCE }, () => svc().catalog.marks.mark(["prod_none"]))
    const seen = await eventually(connections, (rows) => rows.length === 2)
    const all = await eventually(connections, (rows) => rows.some(({ n }) => n === 4))
    await lock.rollback()
    await Promise.all([...sent, ...marks])
    const text = await readFile(join(ROOT, "docs/scaling.md"), "utf8")
    const [, background, receiver] =
      /at most (\d+) for all background work \(`databasePoolMax`\) and (\d+)\s+for the receiver/.exec(
        text,
      ) ?? []
    expect([...seen, ...all].map(({ name }) => name)).toEqual(
      expect.arrayContaining(["svc background", "svc-receiver"]),
    )
    const most = (which: string) =>
      Math.max(...[...seen, ...all].flatMap(({ name, n }) => (name === which ? [n] : [])))
    expect(most("svc background")).toBe(Number(background))
    expect(most("svc-receiver")).toBeLessThanOrEqual(Number(receiver))
  })
}
