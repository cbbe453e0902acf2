import { setTimeout as sleep } from "node:timers/promises"
import { gate } from "../../../../integration-tests/setup/gate"
import { createConnectionWorker, WAKE_WORKER, wakeHere } from ".."
import { store } from "./worker-store"

type Parts = Parameters<typeof createConnectionWorker>[0]
/** One whose connections have no work but what they are woken for. */
const workerOf = (name: string, parts: Pick<Parts, "pass"> & Partial<Parts>) =>
  createConnectionWorker({ name, debounceMs: 1, dueInMs: async () => new Map(), ...parts })
/** Long enough for a wake-up that should not come. */
const quiet = () => sleep(60)
/** Until something came that should, however busy the machine is; what should not come has its time too. */
async function came(has: () => boolean): Promise<void> {
  for (let looks = 0; looks < 500 && !has(); looks++) await sleep(10)
  await quiet()
}

describe("a worker for each connection", () => {
  it("does not let a connection that never ends hold up another", async () => {
    const passes: string[] = []
    const import_ = gate()
    const { scope } = store()
    const { wake } = workerOf("test-a", {
      pass: async (_, id) => {
        passes.push(id)
        if (id === "slow") await import_.opened
      },
    })
    wake(scope, ["slow"])
    await came(() => passes.length > 0)
    for (let edit = 1; edit <= 3; edit++) {
      wake(scope, ["quick"])
      await came(() => passes.length > edit)
    }
    expect(passes).toEqual(["slow", "quick", "quick", "quick"])
    import_.open()
  })

  it("says that a pass failed, and whose; the others go on", async () => {
    const done: string[] = []
    const { scope, errors } = store()
    const { work } = workerOf("test-f", {
      dueInMs: async (_, id) =>
        id
          ? new Map()
          : new Map([
              ["bad", 0],
              ["good", 0],
            ]),
      pass: async (_, id) => {
        if (id === "bad") throw new Error("no such table")
        done.push(id)
      },
    })
    await work(scope)
    expect(done).toEqual(["good"])
    expect(errors).toEqual([expect.stringMatching(/test-f.*bad.*no such table/)])
  })

  it("never rejects when it cannot even look", async () => {
    const { scope, errors } = store()
    const { work } = workerOf("test-g", {
      dueInMs: () => Promise.reject(new Error("the database is down")),
      pass: async () => undefined,
    })
    await expect(work(scope)).resolves.toBeUndefined()
    expect(errors).toEqual([expect.stringContaining("the database is down")])
  })

  it("tells the workers whose work it is, where this process serves requests only", async () => {
    const told: unknown[] = []
    const passes: string[] = []
    const { scope } = store("server", async (event) => void told.push(event))
    const { wake } = workerOf("test-h", {
      pass: async (_, id) => void passes.push(id),
    })
    wake(scope, ["a"])
    wake(scope, ["b"])
    wake(scope, ["c"])
    await came(() => told.length > 1)
    // Those that came while the first message was on its way share the second.
    expect(told).toEqual([
      { name: WAKE_WORKER, data: { worker: "test-h", connections: ["a"] } },
      { name: WAKE_WORKER, data: { worker: "test-h", connections: ["b", "c"] } },
    ])
    expect(passes).toEqual([])
    wakeHere(scope, "test-h", ["a"])
    await came(() => passes.length > 0)
    expect(passes).toEqual(["a"])
  })

  it("is not put off for ever by reasons without a pause", async () => {
    let done = 0
    const { scope } = store()
    const { wake } = workerOf("test-j", {
      debounceMs: 40,
      pass: async () => {
        done += 1
      },
    })
    // A long import in the store: an event comes sooner than the last one's wait is over.
    for (let i = 0; i < 40; i++) {
      wake(scope, ["a"])
      await sleep(5)
    }
    expect(done).toBeGreaterThan(0)
    await quiet()
  })

  it("works again for the next reason where a pass failed, also for one that came meanwhile", async () => {
    let passes = 0
    const first = gate()
    const { scope, errors } = store()
    const { wake } = workerOf("test-k", {
      pass: async () => {
        passes += 1
        if (passes > 1) return
        await first.opened
        throw new Error("the database is down")
      },
    })
    wake(scope, ["a"])
    await came(() => passes > 0)
    wake(scope, ["a"])
    first.open()
    await came(() => passes > 1)
    expect(errors).toEqual([expect.stringMatching(/test-k.*the database is down/)])
    expect(passes).toBe(2)
  })

  it("waits with one message while the event bus is away, and loses none", async () => {
    const arrivals: (() => void)[] = []
    const { scope, errors } = store("server", () => new Promise((arrive) => arrivals.push(arrive)))
    const { wake } = workerOf("test-l", {
      pass: async () => undefined,
    })
    for (let i = 0; i < 100; i++) wake(scope)
    expect(arrivals).toHaveLength(1)
    arrivals[0]?.()
    // The reasons that came meanwhile: the first message may have been read before them.
    await came(() => arrivals.length > 1)
    arrivals[1]?.()
    await quiet()
    expect(arrivals).toHaveLength(2)
    expect(errors).toEqual([])
  })
})
