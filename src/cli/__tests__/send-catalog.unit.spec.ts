import type { Task, Values } from "../command"
import { sync } from "../commands/sync"
import { uninstall } from "../commands/uninstall"
import { CommandError, EXIT } from "../exit"

const COMPLETED = { status: "completed", total: 1, done: 1, failed: 0, reason: null }
const LEFT = { connections: [], webhooks_left: [], connections_left: [], carts: 0, paid_carts: [] }

type Runs = { market?: "south" | "north"; status?: "running" | "paused"; isLater?: boolean }

/**
 * A store with two markets: one of them may have an import, since before the rules were replaced or since then, and a rule
 * that was replaced may come back while it is sent.
 */
function storeWith({
  runs: { market, status = "paused", isLater = false } = {},
  ruleComesBack = false,
}: {
  runs?: Runs
  ruleComesBack?: boolean
}) {
  let include: unknown = null
  const answer = async (path: string, body?: { products?: string }): Promise<unknown> => {
    if (path === "/admin/svc/uninstall") {
      if (body?.products === "disable") include = { metadata: { svc_uninstall: "nothing" } }
      return { uninstall: LEFT }
    }
    if (path.includes("/products?")) return { count: 1 }
    const has = !isLater || include !== null
    const runs = has && market !== undefined && path.includes(market)
    if (body && runs) throw new CommandError("sync_running", "One runs.", "", EXIT.problem)
    if (path.endsWith("/sync")) {
      if (ruleComesBack) include = null
      return { sync: runs ? { ...COMPLETED, status } : COMPLETED }
    }
    return {
      connections: ["south", "north"].map((id) => ({
        id,
        name: id,
        managed_by: "environment",
        catalog: { include },
      })),
    }
  }
  return { get: answer, post: answer } as unknown as Task["store"]
}

const taskOf = (store: Task["store"], values: Values): Task => ({
  store,
  values,
  words: [],
  say: () => undefined,
})

describe("sending the catalog of several markets", () => {
  const north = { connection_id: "north", sync: COMPLETED }

  it("begins what can be begun, and names the market whose import runs already", async () => {
    for (const values of [{}, { wait: true, force: true }]) {
      const { result, problem, exit } = await sync.run(
        taskOf(storeWith({ runs: { market: "south" } }), values),
      )
      expect([exit, problem?.code]).toEqual([EXIT.problem, "sync_running"])
      expect(result).toEqual({
        connections: [
          { connection_id: "south", error: { code: "sync_running", message: "One runs." } },
          north,
        ],
      })
    }
  })

  it("waits with --wait for one that runs already, too", async () => {
    const { result, problem } = await sync.run(
      taskOf(storeWith({ runs: { market: "south" } }), { wait: true }),
    )
    expect(problem).toBeUndefined()
    expect(result).toMatchObject({ connections: [{ sync: { status: "paused" } }, north] })
  })
})

describe("telling the service before leaving it that nothing is for sale", () => {
  const leave = (store: Task["store"]) =>
    uninstall.run(taskOf(store, { apply: true, "disable-products": true }))

  it("disconnects where every product was told", async () => {
    expect(await leave(storeWith({}))).toMatchObject({ exit: EXIT.ok })
  })

  it("disconnects nothing where another rule came back before, or an import runs that began without it", async () => {
    await expect(leave(storeWith({ ruleComesBack: true }))).rejects.toMatchObject({
      code: "products_not_disabled",
    })
    await expect(
      leave(storeWith({ runs: { market: "south", isLater: true } })),
    ).rejects.toMatchObject({
      code: "sync_running",
    })
  })

  it.each(["running", "paused"] as const)(
    "replaces no rule where an import is %s",
    async (status) => {
      for (const market of ["south", "north"] as const) {
        const store = storeWith({ runs: { market, status } })
        await expect(leave(store)).rejects.toMatchObject({ code: "sync_running" })
        const { connections } = await store.get<{ connections: unknown[] }>(
          "/admin/svc/connections",
        )
        expect(connections).toMatchObject([
          { catalog: { include: null } },
          { catalog: { include: null } },
        ])
      }
    },
  )

  it("ends where nobody takes the import, and puts the rules back", async () => {
    let now = Date.now()
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now)
    const store = storeWith({})
    let isTaken = true
    const answer = async (path: string, body?: { products?: string }) => {
      if (body?.products === "disable") isTaken = false
      if (!path.endsWith("/sync") || isTaken) return store.post(path, body)
      now += 100_000
      return { sync: { ...COMPLETED, status: "running", done: 0 } }
    }
    const said: string[] = []
    const task = taskOf({ get: answer, post: answer } as unknown as Task["store"], {
      apply: true,
      "disable-products": true,
    })
    await expect(
      uninstall.run({ ...task, say: (line) => said.push(line) }).finally(() => clock.mockRestore()),
    ).rejects.toMatchObject({ code: "products_not_disabled" })
    expect(said).toContainEqual(expect.stringContaining("/admin/svc/health"))
  })
})

it("names what was connected and which orders wait in the answer of an uninstall that takes several passes", async () => {
  const connected = { ...LEFT, connections: [{ id: "south", name: "South" }], orders_waiting: 12 }
  const passes = [connected, { ...connected, carts: 1 }, { ...LEFT, orders_waiting: 0 }]
  const store = { post: async () => ({ uninstall: passes.shift() }) } as unknown as Task["store"]
  const { result } = await uninstall.run(taskOf(store, { apply: true }))
  expect(passes).toEqual([])
  expect(result).toMatchObject({ connections: connected.connections, orders_waiting: 12, carts: 0 })
})
