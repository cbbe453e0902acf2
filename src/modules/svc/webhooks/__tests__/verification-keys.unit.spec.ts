import { VerificationKeys } from "../verification-keys"

type Parts = ConstructorParameters<typeof VerificationKeys>

/** A database that answers one row, and can be away. */
function keys() {
  const state = { away: false, reads: 0 }
  const row = { connectionId: "c1", pageUid: "page", version: 1, rotating: false }
  const pool = {
    raw: () => ({
      timeout: async () => {
        state.reads += 1
        if (state.away) throw new Error("no database")
        return { rows: [{ ...row, webhookId: "w1", signature_key: null, candidate_key: null }] }
      },
    }),
  } as unknown as Parts[0]
  return { of: new VerificationKeys(pool, {} as Parts[1], 1_000), state }
}

describe("the keys in memory", () => {
  it("are read once for all who wait, and again where they have to be newer", async () => {
    const { of, state } = keys()
    const [one, other] = await Promise.all([of.of("c1"), of.of("none")])
    expect([one?.pageUid, other, state.reads]).toEqual(["page", null, 1])
    await of.of("c1")
    expect(state.reads).toBe(1)
    const since = performance.now()
    await Promise.all([1, 2, 3].map(() => of.of("c1", since)))
    expect(state.reads).toBe(2)
  })

  it("are read ten times a second at most, however many mismatches come", async () => {
    jest.useFakeTimers()
    try {
      const { of, state } = keys()
      await of.of("c1")
      const fresh = Promise.all([1, 2, 3].map(() => of.of("c1", performance.now() + 1)))
      await jest.advanceTimersByTimeAsync(99)
      expect(state.reads).toBe(1)
      await jest.advanceTimersByTimeAsync(1)
      await fresh
      expect(state.reads).toBe(2)
    } finally {
      jest.useRealTimers()
    }
  })

  it("still tell what is signed while the database is away", async () => {
    const { of, state } = keys()
    await of.of("c1")
    state.away = true
    await expect(of.of("c1", performance.now())).rejects.toThrow("no database")
    expect((await of.of("c1"))?.pageUid).toBe("page")
    state.away = false
    expect((await of.of("c1", performance.now()))?.pageUid).toBe("page")
  })
})
