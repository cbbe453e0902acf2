/**
 * Random histories of a catalog: edits, marks, imports, pauses, cancels, workers that die, answers that are lost,
 * refusals and time that passes, for three connections at once. However it went, the services are equal to the store in
 * the end.
 */
import fc from "fast-check"
import { SVC_MODULE } from "../../../src/modules/svc"
import { changeImport, pushConnection, workCatalog } from "../../../src/workflows/catalog"
import { often } from "../../setup/generated"
import { type Death, dyingContainer, hasDied } from "./dying-worker"
import { type Mode, RETRY_AFTER_MS, type Service, unkindService } from "./services"
import { type CatalogShop, titles } from "./shop"

/** Histories of this run; `CATALOG_HISTORIES=3000` for as many as the weekly run. */
const HISTORIES = Number(process.env.CATALOG_HISTORIES ?? 5)

const PRODUCTS = 7
/** Products in a call: so few that there are several calls, and a refused one is halved. */
const BATCH = 3
/** Rounds in which everything must have healed: a product that fails alone waits for up to 15 minutes. */
const HEALING_ROUNDS = 40

const product = fc.nat({ max: PRODUCTS - 1 })
const connection = fc.nat({ max: 2 })
const change = fc.constantFrom("title", "price", "publish", "channel")
const edit = fc.record({
  do: fc.constant("edit" as const),
  product,
  change,
  /** Without one the change came by SQL, and only a walk over the catalog finds it. */
  event: fc.boolean(),
})
/** The connection moves to another address, or its payloads read differently. */
const move = fc.record({
  do: fc.constant("move" as const),
  connection,
  what: fc.constantFrom("base_url" as const, "storefront_url" as const),
  /** Whether whoever changed it lived long enough to begin a walk. */
  told: fc.boolean(),
})
const death = fc.record({ n: fc.integer({ min: 1, max: 30 }), carriedOut: fc.boolean() })
const worker = fc.option(death, { freq: 2 })
const modes: Mode[] = [
  "unavailable",
  "not_found",
  "token_refused",
  "slow_down",
  "answer_lost",
  "call_lost",
]
const step = fc.oneof(
  often(6, "work", {
    workers: fc.array(worker, { minLength: 1, maxLength: 2 }),
    meanwhile: fc.option(fc.oneof(edit, move)),
  }),
  { weight: 4, arbitrary: edit },
  { weight: 2, arbitrary: move },
  often(1, "touch", { product }),
  often(1, "again", { product, connection }),
  often(3, "import", { connection, force: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("pause" as const, "resume" as const, "cancel" as const),
      connection,
    }),
  },
  often(1, "compare", { connection }),
  often(3, "service", {
    connection,
    mode: fc.oneof(fc.constant("well" as const), fc.constantFrom(...modes)),
  }),
  often(1, "ill", {
    connection,
    product,
    status: fc.constantFrom(422 as const, 403 as const, 500 as const),
  }),
  often(3, "wait", { seconds: fc.constantFrom(3, 35, 60, 1_200, 90_000) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
/** The first history: what every run has to come by, however few it makes. */
const FIRST: Step[] = [
  { do: "import", connection: 0, force: false },
  { do: "move", connection: 1, what: "base_url", told: true },
  { do: "work", workers: [{ n: 3, carriedOut: false }], meanwhile: null },
]
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never

/** What one connection must know, as far as anybody can say. */
type Market = {
  id: string
  channel: string
  /** Where its services are; each has a path. */
  url: string
  storefront: string
  /** The one that it is connected to now. */
  service: Service
  /** All that it was ever connected to, by path. */
  services: Map<string, Service>
  /** Its settings changed, and nobody began a comparison: it is found once a walk has ended. */
  outdated: boolean
  /** Changed behind everybody's back: only a walk that begins later finds it. */
  unseen: Set<string>
  /** Will be found by the import that is open: no longer, if somebody cancels it. */
  promised: Set<string>
  /** Will be found by a comparison that is open. */
  compared: Set<string>
  /** The service lost them, and the import that somebody began for it was cancelled. */
  forgotten: Set<string>
}

export function describeHistories(shop: CatalogShop): void {
  describe("a history of the catalog", () => {
    let usual = 0
    beforeEach(() => {
      const { most } = svc().catalog.pace
      usual = most.batchSize
      most.batchSize = BATCH
    })
    afterEach(() => {
      svc().catalog.pace.most.batchSize = usual
    })

    let shift = 0
    const now = () => Date.now() + shift
    const svc = () => shop.getContainer().resolve(SVC_MODULE)
    const markets: Market[] = []
    let ids: string[] = []
    let changes = 0
    const seen = new Map<string, number>()
    let played = 0
    const saw = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

    async function begin(): Promise<void> {
      const channels = [shop.channel, "sc_second"]
      await shop.knex("sales_channel").insert({ id: "sc_second", name: "Second" })
      ids = await shop.insertProducts(titles(PRODUCTS))
      await shop.knex("product_sales_channel").insert(
        ids.map((id) => ({
          id: `second_${id}`,
          product_id: id,
          sales_channel_id: "sc_second",
        })),
      )
      for (const [n, channel] of [channels[0], channels[0], channels[1]].entries()) {
        const service = unkindService(now)
        const services = new Map([["", service]])
        const url = await shop.answering((products, { path }) => {
          const called = services.get(path.replace(/\/products$/, ""))
          return called ? called.answer(products) : { status: 404, body: {} }
        })
        markets.push({
          id: await shop.connect({
            name: `Market ${n}`,
            page_uid: `page-${n}`,
            base_url: url,
            sales_channel_id: channel,
          }),
          channel: channel ?? "",
          url,
          storefront: "",
          service,
          services,
          outdated: false,
          unseen: new Set(),
          promised: new Set(),
          compared: new Set(),
          forgotten: new Set(),
        })
      }
      // What connecting has begun ends here: from now on only the history's own workers work.
      for (const { id } of markets) {
        await shop.sync(id).catch(() => undefined)
        await shop.importEnds(id)
      }
      await workCatalog(shop.getContainer())
    }

    async function beginAnew(): Promise<void> {
      shift = 0
      for (const table of ["item", "payload", "import", "pace"]) {
        await shop.knex(`svc_catalog_${table}`).delete()
      }
      await shop.knex("svc_hold").delete()
      await shop.knex("svc_connection").update({ status: "active", last_error: null })
      await shop.knex("product").whereIn("id", ids).update({ status: "published" })
      await shop
        .knex("product_sales_channel")
        .whereIn("product_id", ids)
        .update({ deleted_at: null })
      for (const market of markets) {
        market.service.reset()
        await moveTo(market, "base_url", "")
        await moveTo(market, "storefront_url", "https://shop.example/")
        // Each has had its first import: before that a comparison looks only at what was sent already.
        await svc().catalog.walks.openImport(market.id, false)
        await shop
          .knex("svc_catalog_import")
          .where({ connection_id: market.id })
          .update({ status: "completed", finished_at: shop.knex.fn.now() })
        market.outdated = false
        market.unseen = new Set(ids)
        market.promised.clear()
        market.compared.clear()
        market.forgotten.clear()
      }
    }

    /** Only the row changes. */
    async function moveTo(
      market: Market,
      what: Move["what"],
      place = `/${++changes}`,
    ): Promise<void> {
      if (what === "storefront_url") {
        market.storefront = place.startsWith("/") ? `https://shop.example${place}/` : place
      } else {
        if (place === "") market.services.clear()
        const { mayRepeat } = market.service
        market.service = unkindService(now)
        market.services.set(place, market.service)
        // What somebody asked for is sent to whom the connection is with by then.
        for (const id of mayRepeat) market.service.mayRepeat.add(id)
      }
      await shop
        .knex("svc_connection")
        .where({ id: market.id })
        .update({
          [what]: what === "base_url" ? `${market.url}${place}` : market.storefront,
        })
    }

    async function move({ connection, what, told }: Move): Promise<void> {
      const market = markets[connection]
      if (!market) throw new Error("no such connection")
      saw("a connection moved")
      await moveTo(market, what)
      if (!told) {
        market.outdated = true
        return
      }
      await svc().connections.holds.resume(market.id, { moved: what === "base_url" })
      if (await svc().catalog.walks.openImport(market.id, false)) {
        // Somebody may cancel it: then it is found as if nobody had begun it.
        market.outdated = true
        for (const id of market.unseen) market.promised.add(id)
        market.unseen.clear()
      } else {
        await svc().catalog.walks.openCompare([market.id])
        market.outdated = false
        for (const id of [...market.unseen, ...market.promised]) market.compared.add(id)
        market.unseen.clear()
        market.promised.clear()
      }
    }

    const mark = (id: string) =>
      svc().catalog.marks.markChanged(new Map([["product", new Set([id])]]))

    async function change({ product, change, event }: Edit): Promise<void> {
      const id = ids[product] ?? ""
      changes += 1
      const { knex } = shop
      switch (change) {
        case "title":
          await knex("product")
            .where({ id })
            .update({ title: `Title ${changes}` })
          break
        case "price":
          await knex("price")
            .where({ id: `sql_${id}` })
            .update({
              amount: changes,
              raw_amount: { value: `${changes}`, precision: 20 },
              updated_at: new Date(),
            })
          break
        case "publish":
          await knex.raw(
            `UPDATE product SET title = ?,
               status = CASE WHEN status = 'published' THEN 'draft' ELSE 'published' END WHERE id = ?`,
            [`Title ${changes}`, id],
          )
          break
        case "channel":
          await knex.raw(
            `UPDATE product_sales_channel SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
             WHERE product_id = ? AND sales_channel_id = ?`,
            [id, shop.channel],
          )
      }
      for (const market of markets) {
        market.unseen.add(id)
        market.promised.delete(id)
        market.compared.delete(id)
      }
      if (event) await touch(id)
    }

    async function touch(id: string): Promise<void> {
      await mark(id)
      for (const market of markets) {
        market.unseen.delete(id)
        market.promised.delete(id)
        market.compared.delete(id)
      }
    }

    /**
     * What only walks wanted sent, and the service never got: a comparison leaves it to the import that is open beside it,
     * and goes with that where the import is cancelled.
     */
    async function neverSent(market: Market): Promise<string[]> {
      const sent = await shop
        .knex("svc_catalog_item")
        .where({ connection_id: market.id })
        .where("acknowledged", ">", 0)
        .pluck("product_id")
      return [...market.compared].filter((id) => !sent.includes(id))
    }

    /** Why somebody has everything sent again. */
    function losesAll({ service, forgotten }: Market): void {
      service.taken.clear()
      forgotten.clear()
      for (const id of ids) service.mayRepeat.add(id)
    }

    const latest = (market: Market) => svc().catalog.walks.latestImport(market.id)

    /** One or two workers for each connection, until each has nothing to do or has died. */
    async function work(
      workers: (Death | null)[],
      connections = markets.map(({ id }) => id),
    ): Promise<void> {
      const container = shop.getContainer()
      const passes = connections.flatMap((id) =>
        workers.map(async (death) => {
          try {
            await pushConnection(death ? dyingContainer(container, death) : container, id)
          } catch (error) {
            if (!death || !hasDied(error)) throw error
            saw("a worker died")
          }
        }),
      )
      const results = await Promise.allSettled(passes)
      for (const result of results) if (result.status === "rejected") throw result.reason
    }

    /** What follows from a step for what a service may see afterwards. */
    async function afterStep(aWorkerDied: boolean): Promise<void> {
      // Somebody asked for it, or nobody can know whether the service has it.
      const forced = await shop
        .knex("svc_catalog_item")
        .whereRaw("force OR lease_token IS NOT NULL OR acknowledged_hash = 'unknown'")
        .select<{ connection_id: string; product_id: string }[]>("connection_id", "product_id")
      for (const market of markets) {
        const { state, mayRepeat, lost } = market.service
        for (const id of state.takenInStep) if (!lost.has(id)) mayRepeat.delete(id)
        for (const row of forced) {
          if (row.connection_id === market.id) mayRepeat.add(row.product_id)
        }
        // Nobody wrote down what a dead worker was answered.
        if (aWorkerDied) for (const id of state.takenInStep) mayRepeat.add(id)
        state.takenInStep.clear()
        lost.clear()
        if (state.toldToWaitAt !== null && !aWorkerDied) {
          saw("a service asked for patience")
          // The row counts from when the answer was read, which is later. A second for two clocks.
          state.heldUntil = Math.max(state.heldUntil, state.toldToWaitAt + RETRY_AFTER_MS - 1_000)
        }
        state.toldToWaitAt = null
        const open = await latest(market)
        if (open?.force && (open.status === "running" || open.status === "paused")) {
          for (const id of ids) mayRepeat.add(id)
        }
        if (open?.status === "completed") market.promised.clear()
      }
    }

    async function happens(step: Step): Promise<void> {
      saw(step.do)
      switch (step.do) {
        case "work":
          await Promise.all([
            work(step.workers),
            step.meanwhile?.do === "edit" ? change(step.meanwhile) : undefined,
            step.meanwhile?.do === "move" ? move(step.meanwhile) : undefined,
          ])
          return afterStep(step.workers.some((death) => death !== null))
        case "edit":
          return change(step)
        case "move":
          return move(step)
        case "touch":
          return touch(ids[step.product] ?? "")
        case "wait":
          shift += step.seconds * 1_000
          return shop.pass(`${step.seconds} seconds`)
      }
      const market = markets[step.connection]
      if (!market) throw new Error("no such connection")
      const { service } = market
      const container = shop.getContainer()
      switch (step.do) {
        case "service":
          service.state.mode = step.mode
          return
        case "ill": {
          const id = ids[step.product] ?? ""
          service.state.ill.set(id, step.status)
          service.state.wasIll.add(id)
          return
        }
        case "again": {
          const id = ids[step.product] ?? ""
          const row = await shop
            .knex("svc_catalog_item")
            .where({ connection_id: market.id, product_id: id })
            .first("id")
          if (!row) return
          // Why somebody asks for it.
          service.taken.delete(id)
          service.mayRepeat.add(id)
          await svc().catalog.items.markToSend({ id: [row.id] })
          market.forgotten.delete(id)
          market.unseen.delete(id)
          market.promised.delete(id)
          return
        }
        case "import": {
          const opened = await svc().catalog.walks.openImport(market.id, step.force)
          if (!opened) return
          saw("an import began")
          for (const id of market.unseen) market.promised.add(id)
          market.unseen.clear()
          if (step.force) losesAll(market)
          return
        }
        case "compare":
          await svc().catalog.walks.openCompare([market.id])
          for (const id of [...market.unseen, ...market.promised]) market.compared.add(id)
          market.unseen.clear()
          market.promised.clear()
          return
        case "pause":
          await changeImport(container, market.id, "pause").catch(() => undefined)
          return
        case "resume": {
          const paused = await latest(market)
          if (paused) await svc().catalog.walks.resume(paused.id)
          return
        }
        case "cancel":
          await changeImport(container, market.id, "cancel")
            .then(async () => {
              saw("an import was cancelled")
              const { force } = (await latest(market)) ?? {}
              const lost = force ? ids.filter((id) => !service.taken.has(id)) : []
              for (const id of lost) market.forgotten.add(id)
              for (const id of [...market.promised, ...(await neverSent(market))]) {
                market.unseen.add(id)
              }
              market.promised.clear()
            })
            .catch(() => undefined)
      }
    }

    const unsettled = () =>
      shop
        .knex("svc_catalog_item")
        .whereRaw("wanted > acknowledged OR lease_token IS NOT NULL")
        .select("connection_id", "product_id", "lane", "state", "reason_code", "lease_token")

    /** Every service is well, and time passes until nothing is left to do. */
    async function heals(): Promise<void> {
      for (const market of markets) {
        market.service.state.mode = "well"
        market.service.state.ill.clear()
        const open = await latest(market)
        if (open?.status === "paused") await svc().catalog.walks.resume(open.id)
        // A refused token waits for a person: they enter one that the service takes.
        const { token_refused } = await svc().connection(market.id)
        if (token_refused) {
          await svc().connections.rows.resume(market.id, null)
        }
      }
      for (let round = 0; ; round++) {
        // No more than what a worker would wake up for by itself.
        const due = [
          ...(await svc().catalog.items.dueInMs()),
          ...(await svc().catalog.walks.dueInMs()),
        ]
        await work([null, null], [...new Set(due.flatMap(([id, ms]) => (ms <= 0 ? id : [])))])
        await svc().catalog.walks.tidy()
        const outdated = await svc().catalog.walks.outdated()
        if (outdated.length > 0) await svc().catalog.walks.openCompare(outdated)
        await afterStep(false)
        const left = await unsettled()
        const walks = await shop
          .knex("svc_catalog_import")
          .whereIn("status", ["running", "paused"])
          .select("kind", "status", "marked_all", "done", "failed")
        expect(
          await shop
            .knex("svc_catalog_item")
            .whereNotNull("import_id")
            .whereNull("lease_token")
            .whereNotIn(
              "import_id",
              shop.knex("svc_catalog_import").whereIn("status", ["running", "paused"]).select("id"),
            ),
        ).toEqual([])
        if (left.length === 0 && walks.length === 0 && outdated.length === 0) return
        if (round === HEALING_ROUNDS) {
          throw new Error(`Still not settled: ${JSON.stringify({ left, walks })}`)
        }
        // The first rounds are a minute apart: that is how soon most things heal.
        const seconds = round < 3 ? 60 : 1_000
        shift += seconds * 1_000
        await shop.pass(`${seconds} seconds`)
      }
    }

    /** @param isSure whether a product's change is one that somebody must have noticed */
    async function expectEqual(isSure: (market: Market, id: string) => boolean): Promise<void> {
      const { rows } = await shop.knex.raw<{
        rows: {
          id: string
          title: string
          amount: string
          status: string
          channels: string[] | null
        }[]
      }>(
        `SELECT product.id, product.title, product.status, price.amount, (
           SELECT array_agg(link.sales_channel_id) FROM product_sales_channel link
           WHERE link.product_id = product.id AND link.deleted_at IS NULL) AS channels
         FROM product JOIN price ON price.id = 'sql_' || product.id
         WHERE product.id = ANY(?) ORDER BY product.id`,
        [ids],
      )
      const problems: unknown[] = []
      for (const market of markets) {
        for (const row of rows) {
          if (!isSure(market, row.id)) continue
          const at = market.service.taken.get(row.id)?.product
          const forSale =
            row.status === "published" && (row.channels ?? []).includes(market.channel)
          const isEqual = forSale
            ? at?.status === "enabled" &&
              at.name === row.title &&
              at.price === Number(row.amount) &&
              at.url.startsWith(market.storefront)
            : at === undefined || at.status === "disabled"
          if (!isEqual) problems.push({ market: market.id, row, forSale, at: at ?? null })
        }
        for (const { state } of market.services.values()) problems.push(...state.faults)
      }
      expect(problems).toEqual([])
    }

    it(
      `ends with every service equal to the store, nothing sent twice, nothing lost (${HISTORIES} histories)`,
      async () => {
        await begin()
        await fc.assert(
          fc.asyncProperty(
            fc.array(step, { minLength: 6, maxLength: 24, size: "max" }),
            async (steps) => {
              await beginAnew()
              for (const one of steps) await happens(one)
              await heals()
              const failed = new Set(
                (
                  await shop
                    .knex("svc_catalog_item")
                    .where({ state: "failed" })
                    .select("connection_id", "product_id")
                ).map((row) => `${row.connection_id} ${row.product_id}`),
              )
              for (const market of markets) {
                for (const id of ids) {
                  const isFailed = failed.has(`${market.id} ${id}`)
                  if (!isFailed) continue
                  saw("a product was given up")
                  // Nobody is blamed who was never refused by itself.
                  const wereIll = [...market.services.values()].flatMap(({ state }) => [
                    ...state.wasIll,
                  ])
                  expect(wereIll).toContain(id)
                }
              }
              const walked = new Set(
                (
                  await shop
                    .knex("svc_catalog_import")
                    .where({ status: "completed" })
                    .distinct("connection_id")
                ).map((row) => row.connection_id),
              )
              await expectEqual(
                (market, id) =>
                  !market.unseen.has(id) &&
                  !market.promised.has(id) &&
                  !market.forgotten.has(id) &&
                  !(market.outdated && !walked.has(market.id)) &&
                  !failed.has(`${market.id} ${id}`),
              )
              for (const market of markets) {
                if (market.forgotten.size === 0) continue
                losesAll(market)
                await svc().catalog.walks.openImport(market.id, true)
              }
              // The night finds what nobody told of, and tries again what was refused.
              await svc().catalog.walks.openCompare("all")
              await heals()
              await expectEqual(() => true)
              played += 1
              // What the first brings by itself says nothing of those that are drawn.
              if (played === 1 && HISTORIES >= 200) seen.clear()
            },
          ),
          {
            numRuns: HISTORIES,
            examples: [[FIRST]],
            seed: jest.getSeed(),
            // `CATALOG_HISTORY=<path>` with the seed plays the one that a failure has named.
            ...(process.env.CATALOG_HISTORY ? { path: process.env.CATALOG_HISTORY } : {}),
            // Each attempt to find a smaller one would take as long again.
            endOnFailure: true,
          },
        )
        console.info(
          [...seen]
            .sort()
            .map(([what, times]) => `${what}: ${times}`)
            .join(", "),
        )
        // A single one that is played again need not have any of these.
        if (process.env.CATALOG_HISTORY) return
        // The rarer ones do not come in every short run.
        const rare = [
          "an import was cancelled",
          "a product was given up",
          "a service asked for patience",
        ]
        const common = ["a worker died", "an import began", "a connection moved"]
        for (const what of HISTORIES >= 200 ? [...common, ...rare] : common) {
          expect([what, (seen.get(what) ?? 0) > 0]).toEqual([what, true])
        }
      },
      6 * 3_600_000,
    )
  })
}
