/** The parts that the admission is put together from. */
import { BodyRoom } from "../body-room"
import { FailureMeter } from "../failure-meter"
import { type Heard, ReceiverNotes, type RefusalCount } from "../receiver-notes"

describe("room for bodies", () => {
  const entered = (room: BodyRoom, bytes = 0) => {
    const gaveWay = jest.fn()
    const body = room.enter(gaveWay)
    if (bytes > 0) body.take(bytes)
    return { ...body, gaveWay }
  }
  const times = (...bodies: { gaveWay: jest.Mock }[]) =>
    bodies.map(({ gaveWay }) => gaveWay.mock.calls.length)

  it("counts what came, and nothing once it is left", () => {
    const room = new BodyRoom(1_000)
    const one = entered(room, 400)
    expect(one.take(600)).toBe(true)
    expect(room.bytes).toBe(1_000)
    one.leave()
    one.leave()
    expect([room.bytes, ...times(one)]).toEqual([0, 0])
    expect(one.take(1)).toBe(false)
  })

  it("is taken from as many as it needs, those first that have been on their way for longest", () => {
    const room = new BodyRoom(1_000)
    const [first, second, third] = [300, 300, 300].map((bytes) => entered(room, bytes))
    const last = entered(room, 500)
    expect(times(...[first, second, third].flatMap((one) => one ?? []), last)).toEqual([1, 1, 0, 0])
    expect([room.bytes, first?.take(1)]).toEqual([800, false])
  })

  it("is never taken from a body that is there, and the next one is refused meanwhile", () => {
    const room = new BodyRoom(1_000)
    const there = entered(room, 900)
    there.arrived()
    const next = entered(room)
    expect(next.take(200)).toBe(false)
    expect(times(there, next)).toEqual([0, 1])
    there.leave()
    expect(room.bytes).toBe(0)
  })
})

describe("counting failures", () => {
  it("waits from the limit on, for the rest of the minute, by address", () => {
    const meter = new FailureMeter(2)
    meter.failed("a", 0)
    expect(meter.waitMs("a", 1_000)).toBe(0)
    meter.failed("a", 1_000)
    expect([meter.waitMs("a", 2_000), meter.waitMs("b", 2_000)]).toEqual([58_000, 0])
    meter.failed("a", 59_999)
    expect(meter.waitMs("a", 59_999)).toBe(1)
    expect(meter.waitMs("a", 60_000)).toBe(0)
    meter.failed("a", 60_000)
    expect(meter.waitMs("a", 60_000)).toBe(0)
  })

  it("remembers ten thousand, and lets the oldest go", () => {
    const meter = new FailureMeter(1)
    for (let index = 0; index <= 10_000; index += 1) meter.failed(`${index}`, 0)
    expect([meter.waitMs("0", 0), meter.waitMs("1", 0)]).toEqual([0, 60_000])
  })
})

describe("what is noted for people", () => {
  const refusal = (at: number, connectionId = "c"): RefusalCount => ({
    connectionId,
    reason: "wrong_key",
    count: 1,
    at,
    offMs: null,
  })
  const heard = (ms: number): Heard => ({
    connectionId: "c",
    at: new Date(ms),
    skewMs: ms,
    currentKeyVersion: 1,
    subscriberUid: null,
  })
  function noting() {
    const written = { refused: [] as RefusalCount[], heard: [] as Heard[], fails: false }
    const unlessFailing = async (write: () => void) => {
      if (written.fails) throw new Error("no database")
      write()
    }
    const notes = new ReceiverNotes({
      refused: (counts) => unlessFailing(() => written.refused.push(...counts)),
      heard: (one) => unlessFailing(() => written.heard.push(one)),
    })
    return { notes, written }
  }

  it("is how many were refused with the last of them, and the last that was heard", async () => {
    const { notes, written } = noting()
    for (const at of [1, 2]) notes.refused(refusal(at))
    notes.heard(heard(1))
    notes.heard(heard(2))
    await notes.write()
    await notes.write()
    expect(written.refused).toMatchObject([{ count: 2, at: 2 }])
    expect(written.heard).toEqual([heard(2)])
  })

  it("is kept where it could not be written, behind what came since", async () => {
    const { notes, written } = noting()
    written.fails = true
    notes.refused(refusal(1))
    notes.heard(heard(1))
    const writing = notes.write()
    notes.refused(refusal(2))
    notes.heard(heard(2))
    await writing
    written.fails = false
    await notes.write()
    expect(written.refused).toMatchObject([{ count: 2, at: 2 }])
    expect(written.heard).toEqual([heard(2)])
  })

  it("is written for whoever asks for that, also what a write under way had taken already", async () => {
    const written: unknown[] = []
    let end = () => {}
    const slow = new Promise<void>((resolve) => (end = resolve))
    const notes = new ReceiverNotes({
      refused: async () => undefined,
      heard: (one) => slow.then(() => void written.push(one)),
    })
    notes.heard(heard(1))
    void notes.write()
    setTimeout(end, 10)
    await notes.write()
    expect(written).toEqual([heard(1)])
  })

  it("is written behind a write that hangs, too", async () => {
    const written: unknown[] = []
    const notes = new ReceiverNotes({
      refused: async () => undefined,
      heard: async (one) => {
        if (one.skewMs === 1) await new Promise(() => {})
        written.push(one)
      },
    })
    notes.heard(heard(1))
    void notes.write()
    notes.heard(heard(2))
    await notes.write()
    expect(written).toEqual([heard(2)])
  })

  it("has room for a thousand pairs, however many connections strangers name", async () => {
    const { notes, written } = noting()
    for (let index = 0; index < 1_001; index += 1) notes.refused(refusal(1, `c${index}`))
    notes.refused(refusal(1, "c0"))
    await notes.write()
    expect(written.refused).toHaveLength(1_000)
    expect(written.refused[0]?.count).toBe(2)
  })
})
