/** A store that is killed at each point of its work on the catalog: nothing is lost, and another one goes on by itself. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import eachMinute from "../../src/jobs/push-catalog"
import { SVC_MODULE } from "../../src/modules/svc"
import { workCatalog } from "../../src/workflows/catalog"
import { ROOT, startChild } from "../../tools/child"
import { describeStore, UNSEEDED } from "../setup/medusa"
import { TEST_ENCRYPTION_KEYS } from "../setup/store-process"
import { type Answer, catalogShop, type Pushed, titles } from "./catalog/shop"

/** Times that the store is killed at each point; `CATALOG_KILLS=20` for as many as the weekly run. */
const ROUNDS = Number(process.env.CATALOG_KILLS ?? 1)

const POINTS = [
  "walk claimed",
  "walk looked",
  "walk marked",
  "claimed",
  "read",
  "settling equal",
  "calling",
  "answered",
  "settling",
  "settled",
  "holding",
] as const
type Point = (typeof POINTS)[number]

/** `CATALOG_KILL_POINTS=holding,read` for some of them. */
const KILLED_AT = POINTS.filter(
  (point) => process.env.CATALOG_KILL_POINTS?.split(",").includes(point) ?? true,
)

/** Where an answer was there and nobody had written it down: those products come a second time. */
const ANSWERED: ReadonlySet<Point> = new Set(["answered", "settling"])
/** Products; two calls of ten, and one of five. */
const COUNT = 25
const BATCH = 10
/** Calls under way at once when the process is killed. */
const IN_FLIGHT = 3

describeStore(
  (suite) => {
    describe("a store that is killed while it works on the catalog", () => {
      const shop = catalogShop(suite)
      const svc = () => suite.getContainer().resolve(SVC_MODULE)
      let answer: () => Answer = () => ({ status: 200, body: {} })
      const pushes = new Map<string, number>()
      const names = new Map<string, string>()

      beforeEach(() => {
        svc().catalog.pace.most.batchSize = BATCH
      })

      const receive = (products: Pushed[]): Answer => {
        const answered = answer()
        if (answered.status === 200) {
          for (const { id, name } of products) {
            pushes.set(id, (pushes.get(id) ?? 0) + 1)
            names.set(id, name)
          }
        }
        return answered
      }

      async function killAt(point: Point): Promise<void> {
        const child = await startChild({
          name: "The store that is killed",
          script: "integration-tests/setup/killed-worker.ts",
          env: {
            DATABASE_URL: suite.databaseUrl,
            SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
            SVC_ALLOW_INSECURE_URLS: "true",
            SVC_BACKEND_URL: suite.storeUrl,
            BATCH: String(BATCH),
            SVC_CATALOG_REQUESTS_PER_SECOND: "1000",
            NODE_OPTIONS: "",
            NODE_ENV: "",
            LOG_LEVEL: "error",
            KILL_AT: point,
          },
          timeoutMs: 300_000,
        })
        const { code } = await child.ended
        // A process that ended by itself has a code.
        if (code !== null) throw new Error(`It was not killed at "${point}": ${child.output()}`)
      }

      it("names every point at which a test can kill it", () => {
        const sources = ["push-connection", "walk"].map((name) =>
          readFileSync(resolve(ROOT, `src/workflows/catalog/${name}.ts`), "utf8"),
        )
        const passed = sources.flatMap((source) =>
          [...source.matchAll(/passPoint\("([^"]+)"\)/g)].map(([, name]) => name),
        )
        expect([...new Set(passed)].sort()).toEqual([...POINTS].sort())
      })

      it(
        `loses nothing, and all is well a minute later (${ROUNDS} times at each of ${KILLED_AT.length} points)`,
        async () => {
          const connection = await shop.connect({ base_url: await shop.answering(receive) })
          const ids = await shop.insertProducts(titles(COUNT))
          await shop.importAll(connection)
          for (let round = 1; round <= ROUNDS; round++) {
            for (const point of KILLED_AT) {
              const title = `${point}, ${round}`
              // This process works as well: what it was woken for must not be what the other is killed at.
              await workCatalog(suite.getContainer())
              await sleep(1_000)
              if (point !== "settling equal") {
                await shop.knex("product").whereIn("id", ids).update({ title })
              }
              const wanted = point === "settling equal" ? new Map(names) : null
              pushes.clear()
              if (point === "holding") answer = () => ({ status: 503, body: {} })
              // An import that finds the changes; or marks of which some find nothing to send.
              if (point === "settling equal") await svc().catalog.marks.mark(ids)
              else await svc().catalog.walks.openImport(connection, false)

              await killAt(point)
              answer = () => ({ status: 200, body: {} })
              // What the dead process held is free again within its lease; the job of the next minute goes on.
              await shop.pass("1 minute")
              await eachMinute(suite.getContainer())
              await workCatalog(suite.getContainer())

              expect([point, names]).toEqual([
                point,
                wanted ?? new Map(ids.map((id) => [id, title])),
              ])
              const left = await shop
                .knex("svc_catalog_item")
                .whereRaw("wanted > acknowledged OR lease_token IS NOT NULL")
                .count("* AS n")
                .first()
              expect([point, Number(left?.n)]).toEqual([point, 0])
              if (point !== "settling equal") {
                expect([point, await shop.syncOf(connection)]).toEqual([
                  point,
                  expect.objectContaining({
                    status: "completed",
                    total: COUNT,
                    done: COUNT,
                    failed: 0,
                  }),
                ])
              }
              const twice = [...pushes.values()].filter((times) => times > 1)
              expect(twice.every((times) => times === 2)).toBe(true)
              expect(twice.length).toBeLessThanOrEqual(
                // A neighbour's call may have been answered while the first one was being settled.
                ANSWERED.has(point) || point === "calling" || point === "settled"
                  ? IN_FLIGHT * BATCH
                  : 0,
              )
              if (point === "answered") expect(twice.length).toBeGreaterThan(0)
            }
          }
        },
        6 * 3_600_000,
      )
    })
  },
  {
    ...UNSEEDED,
    env: { SVC_CATALOG_REQUESTS_PER_SECOND: "1000" },
  },
)
