/**
 * A store for a long time under an even load and without any trouble: memory, handles and tables are printed, and at the end
 * everything must hold. `npm run soak:store`; `SOAK_MINUTES` (60), `SOAK_DELIVERIES` (50) and `SOAK_ORDERS` (5) a second.
 */
import { readdirSync, readFileSync } from "node:fs"
import { findRedis } from "../setup/redis"
import { SLOW_START_MS } from "../setup/store-process"
import { run } from "./chaos/run"
import { type ChaosShop, startShop } from "./chaos/shop"

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const RATES = {
  edits: 0.2,
  shows: Number(process.env.SOAK_DELIVERIES ?? 50),
  // Each lasts half a minute, so that an order begun in one can be placed in it.
  openShows: 60,
  orders: Number(process.env.SOAK_ORDERS ?? 5),
  imports: 1 / 300,
}
const LOOKS = 20
const print = (text: string) => process.stdout.write(`${text}\n`)

type Look = { memoryMiB: number; handles: number }

const withRedis = findRedis() ? describe : describe.skip

withRedis("a store under an even load", () => {
  let shop: ChaosShop

  beforeAll(async () => {
    shop = await startShop({ servers: 1, workers: 1, note: print })
  }, SLOW_START_MS)
  afterAll(() => shop?.stop(), SLOW_START_MS)

  it(
    "stays as it is",
    async () => {
      const looks: Record<string, Look[]> = {}
      const look = async () => {
        for (const { name, pid } of shop.processes) {
          const seen = lookAt(pid() ?? 0)
          looks[name] = [...(looks[name] ?? []), seen]
          print(`  ${name}: ${seen.memoryMiB} MiB, ${seen.handles} handles`)
        }
        print(`  ${await tables()}`)
      }
      const timer = setInterval(() => void look(), (MINUTES * 60_000) / LOOKS)
      const outcome = await run(shop, {
        seed: "soak",
        ms: MINUTES * 60_000,
        rates: RATES,
        troubles: "none",
        pauseMs: 0,
        say: print,
      }).finally(() => clearInterval(timer))
      print(
        Object.entries(outcome.done)
          .map(
            ([what, times]) => `  ${times} ${what}, ${(times / MINUTES / 60).toFixed(2)} a second`,
          )
          .join("\n"),
      )
      print(`  everything held ${Math.round(outcome.settledAfterMs / 1000)} s after the end`)
      expect(outcome.problems).toEqual([])
      for (const [name, all] of Object.entries(looks)) {
        // The first third is the process warming up.
        const [, middle = [], end = []] = thirds(all)
        const most = (some: Look[], of: keyof Look) => Math.max(...some.map((seen) => seen[of]))
        print(
          `  ${name}: ${most(middle, "memoryMiB")} MiB and ${most(middle, "handles")} handles at most in the middle, ` +
            `${most(end, "memoryMiB")} and ${most(end, "handles")} at the end`,
        )
        expect(most(end, "handles")).toBeLessThan(most(middle, "handles") * 1.5 + 50)
      }
    },
    MINUTES * 60_000 + SLOW_START_MS,
  )

  /** The largest tables of the plugin. */
  async function tables(): Promise<string> {
    const rows = await shop.query<{ name: string; kb: number; rows: number }>(
      `SELECT relname AS name, (pg_total_relation_size(relid) / 1024)::int AS kb, n_live_tup::int AS rows
       FROM pg_stat_user_tables WHERE relname LIKE 'svc_%' ORDER BY 2 DESC LIMIT 6`,
    )
    return rows.map(({ name, kb, rows: count }) => `${name} ${kb} kB (${count})`).join(", ")
  }
})

function lookAt(pid: number): Look {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return {
    memoryMiB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  }
}

const thirds = <T>(items: readonly T[]): T[][] => {
  const size = Math.ceil(items.length / 3)
  return [items.slice(0, size), items.slice(size, 2 * size), items.slice(2 * size)]
}
