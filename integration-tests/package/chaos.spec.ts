/**
 * A store under fire: all its parts fail in a seeded order while people use it, and afterwards nothing is lost and nothing
 * is doubled: a minute of it in `npm test`, ten in `npm run chaos`.
 *
 * `CHAOS_MINUTES`, `CHAOS_SEED` (the same seed makes the same schedule), `CHAOS_SERVERS` and `CHAOS_WORKERS` (1 each),
 * `CHAOS_TROUBLES=kills` (one process every few seconds, and nothing else).
 */

import { findRedis } from "../setup/redis"
import { SLOW_START_MS } from "../setup/store-process"
import { mostInASecond, takeovers } from "./chaos/invariants"
import { type Outcome, run } from "./chaos/run"
import { type ChaosShop, startShop } from "./chaos/shop"

const MINUTES = Number(process.env.CHAOS_MINUTES ?? 1)
const ONLY_KILLS = process.env.CHAOS_TROUBLES === "kills"
const print = (text: string) => process.stdout.write(`${text}\n`)

/** Calls of `POST /products` a second that the options allow; one may begin 50 ms early. */
const PACE = 5

/** `npm test` says why where it is skipped. */
const withRedis = findRedis() ? describe : describe.skip

withRedis("a store under fire", () => {
  let shop: ChaosShop
  const notes: string[] = []

  beforeAll(async () => {
    shop = await startShop({
      servers: Number(process.env.CHAOS_SERVERS ?? 1),
      workers: Number(process.env.CHAOS_WORKERS ?? 1),
      note: (text) => notes.push(text),
    })
  }, SLOW_START_MS)
  afterAll(() => shop?.stop(), SLOW_START_MS)

  it(
    "loses nothing and doubles nothing",
    async () => {
      const seed = process.env.CHAOS_SEED ?? String(jest.getSeed())
      print(`chaos: CHAOS_SEED=${seed}, ${MINUTES} min, ${shop.processes.length} processes`)
      const outcome = await run(shop, {
        seed,
        ms: MINUTES * 60_000,
        rates: { edits: 0.5, shows: 3, openShows: 4, orders: 1, imports: ONLY_KILLS ? 0.1 : 0.02 },
        troubles: ONLY_KILLS ? "kills" : "all",
        pauseMs: ONLY_KILLS ? 8_000 : 5_000,
        say: print,
      })
      print(await figures(outcome))
      if (outcome.problems.length > 0) {
        print([outcome.schedule, ...notes, ...shop.processes.map(({ log }) => log())].join("\n"))
      }
      expect(outcome.problems).toEqual([])
      // A run in which nothing went wrong, or nothing was sold, proves nothing.
      expect(outcome.struck.length).toBeGreaterThan(ONLY_KILLS ? 0 : 1)
      expect(outcome.done["orders placed"] ?? 0).toBeGreaterThan(0)
      expect(outcome.done["changes of shows"] ?? 0).toBeGreaterThan(0)
    },
    MINUTES * 60_000 + SLOW_START_MS,
  )

  /** What was done, and what it took. */
  async function figures({ done, foundByComparison, settledAfterMs, leases }: Outcome) {
    const { entries } = await shop.sandbox.control<{ entries: { at: number }[] }>(
      "/journal?q=endpoint:products&limit=20000",
    )
    const calls = mostInASecond(entries.map(({ at }) => at))
    const killsOf = (kind: string) =>
      shop.processes.flatMap(({ name, kills }) => (name.startsWith(kind) ? kills : []))
    const workers = killsOf("worker").sort((one, other) => one - other)
    const taken = takeovers(leases, workers)
    const longest = (Math.max(0, ...taken) / 1000).toFixed(1)
    return [
      ...Object.entries(done)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([what, times]) => `  ${times} ${what}`),
      `  ${notes.length} ends and starts that nobody asked for`,
      `  ${foundByComparison} products that only the comparison found`,
      `  ${killsOf("server").length} kills of servers, ${workers.length} of workers; ${taken.length} of these held leases, taken over after ${longest} s at most`,
      `  ${calls} calls of POST /products in the busiest second, of ${PACE} allowed`,
      `  everything held ${(settledAfterMs / 1000).toFixed(0)} s after the end`,
    ].join("\n")
  }
})
