import type { svcFetch as SvcFetch } from "../lib/client"

describe("a request to the plugin's routes", () => {
  let svcFetch: typeof SvcFetch
  beforeAll(async () => {
    // What the dashboard's build puts in.
    Object.assign(globalThis, {
      __BACKEND_URL__: "https://shop.example.com",
      __AUTH_TYPE__: "session",
      __JWT_TOKEN_STORAGE_KEY__: "",
    })
    ;({ svcFetch } = await import("../lib/client"))
  })
  afterEach(() => jest.restoreAllMocks())

  const answered = (status: number, body: unknown) => {
    jest.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(body, { status }))
    return svcFetch("/health", { alsoAnswers: { status: 503, field: "health" } })
  }

  it("takes a critical state for the answer that it is, and what a gateway says with the same status for an error", async () => {
    const critical = { health: { status: "critical", problems: [] } }
    expect(await answered(503, critical)).toEqual(critical)
    for (const said of [{ message: "no healthy upstream" }, { error: "busy" }, "busy", null]) {
      await expect(answered(503, said)).rejects.toMatchObject({ status: 503, code: "http_503" })
    }
    await expect(answered(502, critical)).rejects.toMatchObject({ status: 502 })
  })
})
