import { judgeSetup, marketProblem, type SetupEvidence } from "../setup-steps"

const AT = new Date("2026-01-01T12:00:00Z")
const LATER = new Date("2026-01-01T13:00:00Z")
const refused = { code: "svc_unauthorized", message: "Refused.", fix: "Make a new one." }

/** Everything was tried and worked. */
const WELL: SetupEvidence = {
  connection: {
    status: "active",
    last_error: null,
    last_check: { at: AT.toISOString(), ok: true, duration_ms: 12, reason: null },
    storefront_url: "https://shop.example",
  },
  market: { channel_open: true, currency_code: "dkk", has_products: true, has_prices: true },
  storefront: { at: AT.toISOString(), url: "https://shop.example", ok: true, reason: null },
  sync: { status: "completed", finished_at: AT, reason: null },
  has_synced: true,
  has_imported: true,
  webhook: {
    problem: null,
    registered: true,
    address_problem: null,
    key_updated_at: AT,
    last_delivery_at: LATER,
  },
  refusal: null,
  player_at: LATER,
  order: { state: "reported", at: LATER, reason: null },
}

/** What nobody has looked at yet. */
const NEW: SetupEvidence = {
  ...WELL,
  connection: { ...WELL.connection, status: "unchecked", last_check: null },
  storefront: null,
  sync: { status: "idle", finished_at: null, reason: null },
  has_synced: false,
  has_imported: false,
  webhook: {
    ...WELL.webhook,
    problem: refused,
    registered: false,
    key_updated_at: null,
    last_delivery_at: null,
  },
  player_at: null,
  order: { state: "none", at: null, reason: null },
}

const states = (evidence: SetupEvidence) =>
  Object.fromEntries(judgeSetup(evidence).map(({ name, state }) => [name, state]))

describe("the first steps of a connection", () => {
  it("are done where each was tried and worked", () => {
    expect(Object.values(states(WELL))).toEqual(Array(8).fill("done"))
  })

  it("are to do where nobody has looked, and never done", () => {
    expect(states(NEW)).toEqual({
      service: "open",
      // The store's own rows were looked at.
      market: "done",
      storefront: "open",
      import: "open",
      webhook: "open",
      test_delivery: "open",
      player: "open",
      test_order: "open",
    })
  })

  it.each(["undeclared", "broken", "unchecked"] as const)(
    "are not done behind a service that is %s, whatever it once said",
    (status) => {
      const found = states({
        ...WELL,
        connection: { ...WELL.connection, status, last_error: refused },
      })
      expect(found.service).toBe(status === "unchecked" ? "open" : "failed")
      for (const name of ["import", "webhook", "test_delivery", "test_order"]) {
        expect([name, found[name]]).toEqual([name, "blocked"])
      }
    },
  )

  it("say why the service, the storefront or an order failed, in the reason's own code", () => {
    const steps = judgeSetup({
      ...WELL,
      connection: { ...WELL.connection, status: "broken", last_error: refused },
      storefront: {
        at: AT.toISOString(),
        url: "https://shop.example",
        ok: false,
        reason: { code: "storefront_refused", message: "", fix: "" },
      },
    })
    expect(steps[0]).toMatchObject({ state: "failed", reason: { code: "svc_unauthorized" } })
    expect(steps[2]).toMatchObject({ state: "failed", reason: { code: "storefront_refused" } })
  })

  it("want another look when the storefront's address changed", () => {
    const connection = { ...WELL.connection, storefront_url: "https://other.example" }
    expect(states({ ...WELL, connection }).storefront).toBe("open")
  })

  it("do not call an import done that nobody started, though a product was sent that changed", () => {
    expect(states({ ...NEW, has_synced: true }).import).toBe("open")
  })

  it("do not call an import done that brought nothing to the service, or did not run to its end", () => {
    const ofImport = (evidence: Partial<SetupEvidence>) => judgeSetup({ ...WELL, ...evidence })[3]
    expect(ofImport({ has_synced: false })).toMatchObject({
      state: "failed",
      reason: { code: "nothing_sent" },
    })
    const cancelled = { status: "cancelled", finished_at: AT, reason: null } as const
    expect(ofImport({ sync: cancelled, has_imported: false })).toMatchObject({
      state: "failed",
      reason: { code: "import_ended" },
    })
    // One that ran to its end before stays done, whatever comes of another.
    const failed = { ...cancelled, status: "failed", reason: refused } as const
    for (const sync of [cancelled, failed]) {
      expect(ofImport({ sync })).toEqual({ name: "import", state: "done", at: null, reason: null })
    }
    const running = { status: "running", finished_at: null, reason: null } as const
    expect(ofImport({ sync: running })).toMatchObject({ state: "running" })
    // It waits for a person, who must hear of it.
    expect(ofImport({ sync: { ...running, status: "paused" } })).toMatchObject({
      state: "failed",
      reason: { code: "import_paused" },
    })
  })

  it("say why a test order is reported to nobody", () => {
    const reason = { code: "test_order", message: "It is a test.", fix: "Place another." }
    const order = { state: "excluded", at: AT, reason } as const
    expect(judgeSetup({ ...WELL, order })[7]).toMatchObject({ state: "failed", at: AT, reason })
  })

  it("say that a webhook cannot be registered yet, and not of one that is", () => {
    const address_problem = { code: "backend_url_missing", message: "", fix: "" }
    const ofWebhook = (webhook: SetupEvidence["webhook"]) => judgeSetup({ ...WELL, webhook })[4]
    expect(ofWebhook({ ...NEW.webhook, address_problem })).toMatchObject({
      state: "failed",
      reason: { code: "backend_url_missing" },
    })
    expect(ofWebhook({ ...WELL.webhook, address_problem })?.state).toBe("done")
  })

  it("count a delivery only under the key of today, and a refusal until a good one comes", () => {
    const ofDelivery = (last: Date | null, refusal: SetupEvidence["refusal"] = null) =>
      judgeSetup({
        ...WELL,
        webhook: { ...WELL.webhook, key_updated_at: AT, last_delivery_at: last },
        refusal,
      })[5]
    const before = new Date(AT.getTime() - 1)
    expect(ofDelivery(before)?.state).toBe("open")
    expect(ofDelivery(null, { at: before, status: 401 })?.state).toBe("open")
    expect(ofDelivery(null, { at: LATER, status: 401 })).toMatchObject({
      state: "failed",
      reason: { code: "delivery_refused", params: { status: 401 } },
    })
    expect(ofDelivery(LATER, { at: LATER, status: 401 })?.state).toBe("done")
  })
})

describe("a sales channel and a region", () => {
  it.each([
    [{ channel_open: false }, "channel_closed"],
    [{ currency_code: null }, "region_gone"],
    [{ has_products: false }, "no_products"],
    [{ has_prices: false }, "no_prices"],
  ])("do not go together where %j", (fit, code) => {
    expect(marketProblem({ ...WELL.market, ...fit })?.code).toBe(code)
  })

  it("go together where a product of the one has a price in the other's currency, which is named where none has", () => {
    expect(marketProblem(WELL.market)).toBeNull()
    expect(marketProblem({ ...WELL.market, has_prices: false })?.message).toContain("DKK")
  })
})
