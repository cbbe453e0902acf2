import { cachedLiveList, forgetLiveList, kept } from "../live-list"

const ask = (key: unknown, connectionIds = ["svccon_1"]) => {
  const read = jest.fn(async () => ({ live_events: [], count: 0 }))
  return cachedLiveList(key, connectionIds, read).then(() => read.mock.calls.length > 0)
}

describe("the storefront's list of shows in memory", () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => {
    forgetLiveList("svccon_1")
    jest.useRealTimers()
  })

  it("is read once for all who ask within two seconds", async () => {
    expect([await ask("list"), await ask("list"), await ask("other")]).toEqual([true, false, true])
    jest.advanceTimersByTime(2_000)
    expect(await ask("list")).toBe(true)
  })

  it("is read again after two seconds, whatever became of the clock meanwhile", async () => {
    await ask("list")
    jest.setSystemTime(Date.now() - 3_600_000)
    jest.advanceTimersByTime(2_000)
    expect(await ask("list")).toBe(true)
  })

  it("is read again once a show of its connections changed", async () => {
    await ask("list")
    forgetLiveList("svccon_2")
    expect(await ask("list")).toBe(false)
    forgetLiveList("svccon_1")
    expect(await ask("list")).toBe(true)
  })

  it("is read once for a crowd, and not kept from before a change that came while it was read", async () => {
    let readings = 0
    const listed = () =>
      cachedLiveList("a slow reading", ["svccon_1"], async () => {
        readings += 1
        await Promise.resolve()
        return { live_events: [], count: readings }
      })
    const crowd = [listed(), listed()]
    forgetLiveList("svccon_1")
    expect(await Promise.all(crowd)).toMatchObject([{ count: 1 }, { count: 1 }])
    // The second is kept: nothing changed meanwhile.
    expect([await listed(), await listed()]).toMatchObject([{ count: 2 }, { count: 2 }])
  })

  it("is let go once its time is over, whatever is asked for then", async () => {
    for (const limit of [1, 2, 3]) await ask({ limit })
    jest.advanceTimersByTime(2_000)
    await ask({ limit: 4 })
    expect(kept.size).toBe(1)
  })

  it("is kept for few who ask for something else each", async () => {
    for (let limit = 1; limit <= 1_000; limit += 1) await ask({ limit })
    expect(kept.size).toBeLessThanOrEqual(20)
  })
})
