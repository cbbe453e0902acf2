/** The admin's long lists: what a page of them holds, and what a search in them finds. */
import { attribution } from "../../setup/attribution"
import type { OperationsShop } from "./shop"

/** Of a connection that no worker knows, so that nothing but the test changes its rows. */
const CONNECTION = "svccon_lists"
const ROWS = 11
const PAGE = 6

type List = { path: string; name: string; sortable: string[] }

const LISTS: List[] = [
  {
    path: "deliveries",
    name: "deliveries",
    sortable: ["received_at", "occurred_at", "topic", "outcome", "attempts", "event_uid", "id"],
  },
  {
    path: "products",
    name: "products",
    sortable: ["updated_at", "title", "state", "last_pushed_at", "product_id", "id"],
  },
  {
    path: "orders",
    name: "orders",
    sortable: ["placed_at", "reported_at", "next_attempt_at", "display_id", "state", "id"],
  },
]

export function describeLists(shop: OperationsShop): void {
  const { ask, knex } = shop

  const at = (n: number) => new Date(Date.UTC(2026, 0, 1 + n))
  /** Every third row has no value, and each of the others shares its own with another row. */
  const sparse = <Value>(n: number, value: (n: number) => Value): Value | null =>
    n % 3 === 0 ? null : value(Math.floor(n / 2))

  const fill = async () => {
    const rows = Array.from({ length: ROWS }, (_, n) => n)
    await knex()("svc_delivery").insert(
      rows.map((n) => ({
        id: `svcdel_${n}`,
        connection_id: CONNECTION,
        dedup_key: `key-${n}`,
        topic: n % 2 ? "live_event.created" : "live_event.updated",
        event_uid: sparse(n, (m) => `Event-${m}`),
        delivery_uid: `delivery_${n}`,
        occurred_at: sparse(n, at),
        received_at: at(Math.floor(n / 4)),
        outcome: n % 2 ? "applied" : "stale",
        attempts: n % 4,
        body: "{}",
        body_hash: "",
        bytes: 2,
        headers: "{}",
      })),
    )
    await knex()("svc_catalog_item").insert(
      rows.map((n) => ({
        id: `svcprod_${n}`,
        connection_id: CONNECTION,
        product_id: `prod_${ROWS - n}`,
        title: n % 2 ? `Stoneware mug ${n % 4}` : "Wool throw, 100 % lambswool",
        state: n % 2 ? "synced" : "removed",
        acknowledged: 1,
        last_pushed_at: sparse(n, at),
        updated_at: at(Math.floor(n / 4)),
      })),
    )
    await knex()("svc_attribution").insert(
      rows.map((n) =>
        attribution(CONNECTION, `${n}`, {
          order_id: `order_lists_${n}`,
          display_id: sparse(n, (m) => 7_000 + m),
          svc_order_no: `Number_${n}`,
          placed_at: at(Math.floor(n / 4)),
          reported_at: sparse(n, at),
        }),
      ),
    )
    await knex()("order").insert(
      rows.map((n) => ({
        id: `order_lists_${n}`,
        email: `Guest-${n}@example.test`,
        custom_display_id: n === 5 ? "WEB-77" : null,
        currency_code: "dkk",
      })),
    )
  }

  type Page = { ids: string[]; count: number }
  const read = async ({ path, name }: List, query: string): Promise<Page> => {
    const { status, data } = await ask(
      "get",
      `/admin/svc/${path}?connection_id=${CONNECTION}&${query}`,
    )
    expect(status).toBe(200)
    return { ids: data[name].map(({ id }: { id: string }) => id), count: data.count }
  }

  describe("the admin's long lists", () => {
    beforeEach(fill)

    it.each(LISTS)("$name: the pages are the whole list, in any order", async (list) => {
      for (const [index, column] of list.sortable.entries()) {
        const order = index % 2 ? column : `-${column}`
        const all = await read(list, `limit=100&order=${order}`)
        expect(new Set(all.ids).size).toBe(ROWS)
        const pages: string[] = []
        for (let offset = 0; offset < ROWS; offset += PAGE) {
          const page = await read(list, `limit=${PAGE}&offset=${offset}&order=${order}`)
          expect(page.count).toBe(ROWS)
          pages.push(...page.ids)
        }
        expect({ order, ids: pages }).toEqual({ order, ids: all.ids })
      }
      expect(await read(list, `limit=${PAGE}&offset=${ROWS}`)).toEqual({ ids: [], count: ROWS })

      // Those of a search are all that it finds.
      const q = { deliveries: "created", products: "MUG", orders: "number" }[list.name] ?? ""
      const all = await read(list, `limit=100&q=${q}&order=-id`)
      expect(all.count).toBe(list.name === "orders" ? ROWS : 5)
      expect(all.ids).toHaveLength(all.count)
      const [first, second] = [
        await read(list, `limit=3&q=${q}&order=-id`),
        await read(list, `limit=100&offset=3&q=${q}&order=-id`),
      ]
      expect([...first.ids, ...second.ids]).toEqual(all.ids)
      expect([first.count, second.count]).toEqual([all.count, all.count])
    })

    it.each([
      ["products", "last_pushed_at", "svcprod"],
      ["orders", "reported_at", "svcatt"],
    ])(
      "%s: what has no value comes last, whichever way it is sorted",
      async (name, column, prefix) => {
        const list = LISTS.find((one) => one.name === name) as List
        const without = [0, 3, 6, 9].map((n) => `${prefix}_${n}`)
        for (const order of [column, `-${column}`]) {
          const { ids } = await read(list, `limit=100&order=${order}`)
          expect(ids.slice(-without.length).sort()).toEqual(without)
        }
      },
    )

    const searches: [string, string, string[]][] = [
      ["deliveries", "EVENT-2", ["svcdel_4", "svcdel_5"]],
      ["deliveries", "ivery_7", ["svcdel_7"]],
      ["deliveries", "live_event.CREATED delivery_1", ["svcdel_1"]],
      // A part of one column and a part of the next are no word.
      ["deliveries", "createdEvent", []],
      ["deliveries", "nothing", []],
      [
        "products",
        "wool 100 %",
        ["svcprod_0", "svcprod_2", "svcprod_4", "svcprod_6", "svcprod_8", "svcprod_10"],
      ],
      ["products", "mug stoneware 3", ["svcprod_3", "svcprod_7"]],
      ["products", "prod_11", ["svcprod_0"]],
      ["orders", "guest-4@", ["svcatt_4"]],
      ["orders", "web-77", ["svcatt_5"]],
      ["orders", "umber_10", ["svcatt_10"]],
      ["orders", "order_lists_3", ["svcatt_3"]],
      ["orders", "#7001", ["svcatt_2"]],
      ["orders", "7002", ["svcatt_4", "svcatt_5"]],
      // An underscore and a percent sign are what they are.
      ["orders", "number%10", []],
      ["orders", "guest_4", []],
    ]
    it.each(LISTS)("$name: a search finds what it names", async (list) => {
      for (const [name, q, wanted] of searches) {
        if (name !== list.name) continue
        const { ids, count } = await read(list, `limit=100&q=${encodeURIComponent(q)}`)
        expect({ q, ids: ids.sort(), count }).toEqual({
          q,
          ids: [...wanted].sort(),
          count: wanted.length,
        })
      }
    })

    it("deliveries are narrowed by when they were received, up to but not at the end", async () => {
      const [deliveries] = LISTS
      if (!deliveries) throw new Error("none")
      const found = await read(deliveries, "from=2026-01-02&to=2026-01-03&outcome=stale")
      expect(found).toEqual({ ids: ["svcdel_6", "svcdel_4"], count: 2 })
    })
  })
}
