import fc from "fast-check"
import { errorForStatus, SvcError } from "../../../../client"
import { judgeFailure, probeSize } from "../failure-policy"
import { type Group, type Probe, type Sendable, SendQueue } from "../send-queue"

type Item = Sendable & { id: string }

const items = (count: number, over: Partial<Item> = {}): Item[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    lane: 2,
    attempts: 0,
    failsAlone: false,
    ...over,
  }))
const answer = (status: number, excerpt: string | null = null) =>
  errorForStatus(status, { what: "send products", excerpt, retryAfterMs: null })
const timeout = () => new SvcError({ code: "svc_timeout", failure: "retry", message: "late" })

type Service = (batch: string[], call: number) => SvcError | null

/** Plays a run: calls one after the other, as many at once as `atOnce`, in the order in which they were begun. */
function play(
  queue: SendQueue<Item>,
  service: Service,
  { size = 100, atOnce = 1 }: { size?: number; atOnce?: number } = {},
) {
  const calls: string[][] = []
  const refused = new Map<string, number | null>()
  const failing = new Map<string, number | null>()
  const accepted: string[] = []
  const collect = () => {
    const judged = queue.takeJudged()
    for (const { item, error } of judged.refused) refused.set(item.id, error.status)
    for (const { item, error } of judged.failing) failing.set(item.id, error.status)
  }
  const under_way: { group: Group<Item>; call: number }[] = []
  for (;;) {
    while (queue.canTake(atOnce)) {
      const group = queue.take(size)
      if (!group) break
      calls.push(group.items.map(({ id }) => id))
      under_way.push({ group, call: calls.length })
    }
    const next = under_way.shift()
    if (!next) break
    const error = service(
      next.group.items.map(({ id }) => id),
      next.call,
    )
    if (error) queue.failed(next.group, error)
    else {
      accepted.push(...next.group.items.map(({ id }) => id))
      queue.accepted(next.group)
    }
    collect()
  }
  const { untried, tried, stop } = queue.end()
  collect()
  return {
    calls,
    accepted,
    refused,
    failing,
    untried: untried.map(({ id }) => id),
    tried: tried.map(({ item }) => item.id),
    stop,
  }
}

function send(count: number, service: Service, options: Parameters<typeof play>[2] = {}) {
  const queue = new SendQueue<Item>()
  queue.add(items(count), options.size ?? 100)
  return play(queue, service, options)
}

describe("sending products", () => {
  it("fills batches and sends each product once", () => {
    const { calls, accepted } = send(250, () => null, { atOnce: 3 })
    expect(calls.map((call) => call.length)).toEqual([100, 100, 50])
    expect(new Set(accepted).size).toBe(250)
  })

  it("sends a person's edit before the products of an import that were there first", () => {
    const queue = new SendQueue<Item>()
    queue.add(items(300), 100)
    queue.add([{ id: "edit", lane: 0, attempts: 0, failsAlone: false }], 100)
    expect(play(queue, () => null).calls[0]?.[0]).toBe("edit")
  })

  it.each([400, 422])("finds the one product that makes the service answer %i", (status) => {
    const { calls, accepted, refused } = send(100, (batch) =>
      batch.includes("p37") ? answer(status, "p37 is wrong") : null,
    )
    expect([...refused]).toEqual([["p37", status]])
    expect(new Set(accepted).size).toBe(99)
    // Twice the depth of the halving, and the first: not a call for each product.
    expect(calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(100)))
  })

  it("finds several, next to each other or not", () => {
    const bad = ["p0", "p1", "p50", "p99"]
    const { refused, accepted } = send(200, (batch) =>
      batch.some((id) => bad.includes(id)) ? answer(422) : null,
    )
    expect(new Set(refused.keys())).toEqual(new Set(bad))
    expect(new Set(accepted).size).toBe(196)
  })

  it("stops after a few calls where everything is refused, and gives nothing up", () => {
    const { calls, refused, tried, untried, stop } = send(1_000, () => answer(422, "no"), {
      atOnce: 3,
    })
    expect(calls.length).toBeLessThanOrEqual(20)
    expect(stop).toMatchObject({ kind: "most_refused" })
    expect(refused.size).toBe(0)
    expect(tried.length + untried.length).toBe(1_000)
  })

  it("refuses the few products of a small shop one by one, with the service's words", () => {
    const { refused, stop } = send(3, () => answer(422, "no brand"))
    expect(refused.size).toBe(3)
    expect(stop).toBeNull()
  })

  it("halves what is too large, and gives up one product that is too large by itself", () => {
    expect(
      new Set(send(100, (batch) => (batch.length > 30 ? answer(413) : null)).accepted).size,
    ).toBe(100)
    expect([...send(2, () => answer(413)).refused.values()]).toEqual([413, 413])
  })

  it.each([402, 404, 405, 409, 410, 415, 403, 500, 503])(
    "stops where every call is answered %i: one batch after the other would be lost",
    (status) => {
      const { calls, refused, failing, tried, untried, stop } = send(1_000, () => answer(status))
      expect(calls.length).toBeLessThanOrEqual(3)
      expect(stop).toMatchObject({ kind: "unclear" })
      expect([refused.size, failing.size]).toEqual([0, 0])
      expect(tried.length + untried.length).toBe(1_000)
    },
  )

  it.each([500, 403, 404, 408])(
    "finds the one product that is answered %i while others pass, and sends all its neighbours",
    (status) => {
      const { calls, accepted, failing, stop } = send(
        500,
        (batch) => (batch.includes("p137") ? answer(status) : null),
        { atOnce: 3 },
      )
      expect([...failing.keys()]).toEqual(["p137"])
      expect(new Set(accepted).size).toBe(499)
      expect(stop).toBeNull()
      expect(calls.length).toBeLessThanOrEqual(5 + 2 * Math.ceil(Math.log2(100)))
    },
  )

  it("finds it where it hangs, and several of them", () => {
    const bad = ["p10", "p210", "p310"]
    const { accepted, failing } = send(400, (batch) =>
      batch.some((id) => bad.includes(id)) ? timeout() : null,
    )
    expect(new Set(failing.keys())).toEqual(new Set(bad))
    expect(new Set(accepted).size).toBe(397)
  })

  it("blames nobody where there is only one batch and it fails: nothing tells whose fault it is", () => {
    const { calls, failing, tried, stop } = send(50, () => answer(500))
    expect(calls).toHaveLength(1)
    expect(failing.size).toBe(0)
    expect(tried).toHaveLength(50)
    expect(stop).toMatchObject({ kind: "unclear" })
  })

  it("sends what failed before in smaller groups, after what was never tried", () => {
    const queue = new SendQueue<Item>()
    queue.add(items(100, { attempts: 2 }), 100)
    queue.add(
      items(10).map((item) => ({ ...item, id: `new ${item.id}` })),
      100,
    )
    const { calls } = play(queue, () => null)
    expect(calls[0]?.[0]).toMatch(/^p/)
    expect(
      Math.max(...calls.filter((call) => call[0]?.startsWith("p")).map((call) => call.length)),
    ).toBe(25)
    const probing = new SendQueue<Item>("service")
    probing.add(items(100, { attempts: 2 }), 100)
    probing.add(
      items(10).map((item) => ({ ...item, id: `new ${item.id}` })),
      100,
    )
    expect(play(probing, () => null).calls[0]?.[0]).toMatch(/^new/)
  })

  it("sends an edit that failed before, before the products of an import that failed before", () => {
    const queue = new SendQueue<Item>()
    const edit = { id: "edit", lane: 0, attempts: 1, failsAlone: false }
    queue.add([...items(200, { attempts: 1 }), edit], 100)
    expect(play(queue, () => null).calls[0]).toContain("edit")
  })

  it("sends a product that fails by itself alone, and takes its failure for no sign of the service's", () => {
    const queue = new SendQueue<Item>()
    queue.add([{ id: "poison", lane: 1, attempts: 9, failsAlone: true }], 100)
    const { calls, failing, stop } = play(queue, () => answer(500))
    expect(calls).toEqual([["poison"]])
    expect(failing.size).toBe(1)
    expect(stop).toBeNull()
  })

  it("calls nobody else once it was told to slow down, and counts nothing against the products", () => {
    const { calls, tried, untried, stop } = send(500, () => answer(429))
    expect(calls).toHaveLength(1)
    expect(tried).toEqual([])
    expect(untried).toHaveLength(500)
    expect(stop).toMatchObject({ kind: "slow_down" })
  })

  it("calls nobody once the token is refused", () => {
    const { calls, tried, stop } = send(500, () => answer(401))
    expect(calls).toHaveLength(1)
    expect(tried).toEqual([])
    expect(stop).toMatchObject({ kind: "token" })
  })

  it("finds out with one call whether the service is well again", () => {
    const down = new SendQueue<Item>("service")
    down.add(items(500), 100)
    expect(play(down, () => answer(503), { atOnce: 3 }).calls).toHaveLength(1)
    const well = new SendQueue<Item>("service")
    well.add(items(500), 100)
    const { calls, accepted } = play(well, () => null, { atOnce: 3 })
    expect(calls).toHaveLength(5)
    expect(accepted).toHaveLength(500)
  })

  it("finds out with two products whether everything is still refused", () => {
    const queue = new SendQueue<Item>("refusals")
    queue.add(items(500), 100)
    const { calls, stop } = play(queue, () => answer(422), { size: probeSize(100, 7) })
    expect(calls.length).toBeLessThanOrEqual(2)
    expect(stop).toMatchObject({ kind: "most_refused" })
  })
})

describe("whatever the service does", () => {
  const RUNS = Number(process.env.SVC_GENERATED_RUNS ?? 500)

  /** A service that has poison products, is down now and then, and loses patience. */
  const plan = fc.record({
    count: fc.integer({ min: 0, max: 260 }),
    size: fc.integer({ min: 1, max: 100 }),
    atOnce: fc.integer({ min: 1, max: 4 }),
    probing: fc.constantFrom<Probe | null>(null, null, "service", "refusals"),
    attempts: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 260 }),
    poison: fc.array(
      fc.tuple(fc.integer({ min: 0, max: 259 }), fc.constantFrom(400, 422, 500, 403, 404, 413, 0)),
      { maxLength: 6 },
    ),
    downAt: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(500, 429, 401, 404, 0)),
      {
        maxLength: 3,
      },
    ),
    downFor: fc.integer({ min: 1, max: 5 }),
  })

  it("each product ends in exactly one way, a healthy one is never blamed, and it ends", () => {
    fc.assert(
      fc.property(plan, (given) => {
        const queue = new SendQueue<Item>(given.probing)
        queue.add(
          items(given.count).map((item, n) => ({ ...item, attempts: given.attempts[n] ?? 0 })),
          given.size,
        )
        const poison = new Map(given.poison.map(([n, status]) => [`p${n}`, status]))
        let unwell = false
        const seen = play(
          queue,
          (batch, call) => {
            const down = given.downAt.find(([at]) => call >= at && call < at + given.downFor)
            if (down) {
              unwell = true
              return down[1] === 0 ? timeout() : answer(down[1])
            }
            const bad = batch.find((id) => poison.has(id))
            if (bad === undefined) return null
            const status = poison.get(bad) ?? 0
            return status === 0 ? timeout() : answer(status)
          },
          given,
        )
        const ends = [
          ...seen.accepted,
          ...seen.refused.keys(),
          ...seen.failing.keys(),
          ...seen.untried,
          ...seen.tried,
        ]
        expect(ends.sort()).toEqual(
          items(given.count)
            .map(({ id }) => id)
            .sort(),
        )
        for (const [id, status] of seen.refused) {
          // A content refusal is believed: it came with the service's words, while others were accepted.
          if (!unwell) expect(poison.has(id)).toBe(true)
          if (status !== null)
            expect(["content", "too_large"]).toContain(judgeFailure(answer(status)))
        }
        if (!unwell) for (const id of seen.failing.keys()) expect(poison.has(id)).toBe(true)
        // Halving costs twice the depth for each bad product, and no more than that.
        const bound = given.count + (given.poison.length + 4) * 24 + 30
        expect(seen.calls.length).toBeLessThanOrEqual(bound)
        if (seen.untried.length + seen.tried.length > 0) expect(seen.stop).not.toBeNull()
      }),
      { numRuns: RUNS },
    )
  })
})
