import { setTimeout as sleep } from "node:timers/promises"
import { createWorker, WAKE_WORKER, wakeHere } from ".."
import { store } from "./worker-store"

/** Passes that a test ends by hand, one after the other. */
function passes() {
  const begun: { end: () => void; fail: (error: Error) => void }[] = []
  const waiting: (() => void)[] = []
  let running = 0
  let most = 0
  const pass = async () => {
    running += 1
    most = Math.max(most, running)
    try {
      await new Promise<void>((end, fail) => {
        begun.push({ end, fail })
        waiting.shift()?.()
      })
    } finally {
      running -= 1
    }
  }
  return {
    pass,
    count: () => begun.length,
    mostAtOnce: () => most,
    end: () => begun.at(-1)?.end(),
    fail: (message: string) => begun.at(-1)?.fail(new Error(message)),
    begins: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

const workerOf = (pass: () => Promise<unknown>, debounceMs = 1) =>
  createWorker({ name: "reporting orders", debounceMs, pass })
/** Long enough for a wake-up that should not come. */
const quiet = () => sleep(60)

describe("waking a worker", () => {
  it("a burst of reasons makes one pass", async () => {
    const job = passes()
    const { scope } = store()
    const { wake } = workerOf(job.pass)
    const begins = job.begins()
    for (let i = 0; i < 1_000; i++) wake(scope)
    await begins
    job.end()
    await quiet()
    expect(job.count()).toBe(1)
  })

  it("reasons without a pause do not put the work off for ever", async () => {
    let done = 0
    const { scope } = store()
    const { wake } = workerOf(async () => {
      done += 1
    }, 40)
    // A long import in the store: an event comes sooner than the last one's wait is over.
    for (let i = 0; i < 40; i++) {
      wake(scope)
      await sleep(5)
    }
    expect(done).toBeGreaterThan(0)
    await quiet()
  })

  it("reasons that come during a pass make exactly one more, after it: none is lost, none overlaps", async () => {
    const job = passes()
    const { scope } = store()
    const { wake } = workerOf(job.pass)
    let begins = job.begins()
    wake(scope)
    await begins
    begins = job.begins()
    for (let i = 0; i < 100; i++) wake(scope)
    await quiet()
    expect(job.count()).toBe(1)
    job.end()
    await begins
    job.end()
    await quiet()
    expect(job.count()).toBe(2)
    expect(job.mostAtOnce()).toBe(1)
  })

  it("a pass that fails is said in the log, and the next reason works again", async () => {
    const job = passes()
    const { scope, errors } = store()
    const { wake } = workerOf(job.pass)
    let begins = job.begins()
    wake(scope)
    await begins
    job.fail("the database is down")
    await quiet()
    expect(errors).toEqual([expect.stringMatching(/reporting orders.*the database is down/)])
    begins = job.begins()
    wake(scope)
    await begins
    job.end()
    expect(job.count()).toBe(2)
  })

  it("a reason that came during a failed pass still gets its own", async () => {
    const job = passes()
    const { scope } = store()
    const { wake } = workerOf(job.pass)
    let begins = job.begins()
    wake(scope)
    await begins
    wake(scope)
    begins = job.begins()
    job.fail("stop")
    await begins
    job.end()
    expect(job.count()).toBe(2)
  })

  it("work that throws before it begins is said as well, and never rejects", async () => {
    const { scope, errors } = store()
    const { work } = workerOf(() => {
      throw new Error("at once")
    })
    await expect(work(scope)).resolves.toBeUndefined()
    expect(errors).toEqual([expect.stringContaining("at once")])
  })

  it("whoever asks for the work to be done joins a pass that is under way, and waits for one of its own", async () => {
    const job = passes()
    const { scope } = store()
    const { work } = workerOf(job.pass)
    const first = work(scope)
    const begins = job.begins()
    const second = work(scope)
    expect(job.count()).toBe(1)
    job.end()
    await begins
    job.end()
    await Promise.all([first, second])
    expect(job.count()).toBe(2)
    expect(job.mostAtOnce()).toBe(1)
  })

  it("a retry that falls due soon is worked on by itself", async () => {
    const next = [1, null]
    const job = passes()
    const { scope } = store()
    const { work } = createWorker({
      name: "test",
      debounceMs: 1,
      pass: job.pass,
      nextInMs: async () => next.shift() ?? null,
    })
    const done = work(scope)
    const begins = job.begins()
    job.end()
    await done
    await begins
    job.end()
    await quiet()
    expect(job.count()).toBe(2)
  })

  it("two stores in one process do not wait for each other", async () => {
    const job = passes()
    const { wake } = workerOf(job.pass)
    const begins = [job.begins(), job.begins()]
    wake(store().scope)
    wake(store().scope)
    await Promise.all(begins)
    expect(job.mostAtOnce()).toBe(2)
  })

  it("a process that serves requests only tells the workers, and makes no pass itself", async () => {
    const told: unknown[] = []
    const job = passes()
    const { scope } = store("server", async (event) => void told.push(event))
    const { wake } = workerOf(job.pass)
    wake(scope)
    await quiet()
    expect(told).toEqual([{ name: WAKE_WORKER, data: { worker: "reporting orders" } }])
    expect(job.count()).toBe(0)

    // Whoever handles the message works, whatever its mode: without Redis that is the same process.
    const begins = job.begins()
    wakeHere(scope, "reporting orders")
    await begins
    job.end()
  })
})
