import { errorForStatus } from "../../client"
import { FAILED } from "../../modules/svc/orders/reasons"
import { reasonOf } from "../../modules/svc/shared/reason"
import type { SvcRefusal } from "../../modules/svc/shared/refusal"
import { callFailed } from "../../workflows/webhooks/subscriber-row"
import languages from "../i18n"
import type * as Client from "../lib/client"
import type * as Errors from "../lib/describe-error"
import { sayReason } from "../lib/say-reason"

/** A text of a language by its path, or the words that it was asked with, as i18next gives it. */
const inGerman = (keys: string[], { defaultValue = "", ...values }: Record<string, unknown>) => {
  const texts = keys.map((key) =>
    key.split(".").reduce<unknown>((tree, name) => Object(tree)[name], languages.de.svc),
  )
  const text = texts.find((one) => typeof one === "string") ?? defaultValue
  return String(text).replace(/\{\{(\w+)\}\}/g, (whole, name) => String(values[name] ?? whole))
}

describe("a request to the plugin's routes", () => {
  let svcFetch: typeof Client.svcFetch
  let fetchCsv: typeof Client.fetchCsv
  let ApiError: typeof Client.ApiError
  let describeError: typeof Errors.describeError
  beforeAll(async () => {
    // What the dashboard's build puts in.
    Object.assign(globalThis, {
      __BACKEND_URL__: "https://shop.example.com",
      __AUTH_TYPE__: "session",
      __JWT_TOKEN_STORAGE_KEY__: "",
    })
    ;({ svcFetch, fetchCsv, ApiError } = await import("../lib/client"))
    ;({ describeError } = await import("../lib/describe-error"))
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
  const described = (error: Error) =>
    describeError(
      error,
      (key, values = {}) => inGerman([key], values),
      (refusal) => sayReason(refusal, inGerman, "de"),
    )
  const page = (status: number) =>
    jest
      .spyOn(globalThis, "fetch")
      .mockResolvedValue(
        new Response("<html></html>", { status, headers: { "content-type": "text/html" } }),
      )

  it.each([200, 401, 413, 502])(
    "says of an answer %d that is not the store's that it is not",
    async (status) => {
      const { noAnswer, noAnswerFix } = languages.de.svc.errors
      const said = { message: noAnswer.replace("{{status}}", String(status)), fix: noAnswerFix }
      for (const ask of [() => svcFetch("/products"), () => fetchCsv("/orders", {})]) {
        page(status)
        const error = await ask().catch((thrown: Error) => thrown)
        expect(described(error as Error)).toEqual(said)
      }
    },
  )

  it("says what the plugin refuses in the language of the admin, whatever its status", () => {
    const refused = (code: string, status: number, message: string, params = {}) =>
      described(new ApiError({ code, status, message, params }))
    const { store_error, webhook_rotation_unsure } = languages.de.svc.reasons
    expect(refused("store_error", 503, "The product ...", { problem: "no memory" })).toEqual({
      message: String(store_error?.message).replace("{{problem}}", "no memory."),
      fix: store_error?.fix,
    })
    const unsure = refused("webhook_rotation_unsure", 502, "It is not certain ...")
    expect(unsure).toEqual(webhook_rotation_unsure)
    // Medusa's own error has a code, too.
    expect(refused("unknown_error", 500, "An unknown error occurred.")).toEqual({
      message: "An unknown error occurred.",
      fix: languages.de.svc.errors.serverFix,
    })
    // Where the answer ends without a full stop: what to do follows it.
    for (const [error, said] of [
      [new Error("Forbidden"), "Forbidden."],
      [
        new ApiError({ code: "unknown_error", status: 500, message: "Oops", params: undefined }),
        "Oops.",
      ],
    ] as const) {
      expect(described(error).message).toBe(said)
    }
  })

  it("says in every language what was asked of the service, and what it answered", () => {
    const failed = (status: number, excerpt: string | null = null) =>
      errorForStatus(status, { what: "report an order", excerpt, retryAfterMs: null })
    const inEnglish = (_keys: string[], { defaultValue = "" }: Record<string, unknown>) =>
      defaultValue
    for (const error of [301, 403, 404, 405, 503].map((status) => failed(status, "Ask Ann"))) {
      const reason = reasonOf(error)
      expect(sayReason(reason, inGerman, "de").message).toContain("report an order")
      if (error.said) expect(sayReason(reason, inGerman, "de").message).toContain("Ask Ann")
      expect([reason.message, `${reason.message}.`]).toContain(
        sayReason(reason, inEnglish, "en").message,
      )
    }
    const refused = reasonOf(failed(422, "no such number"))
    expect(refused.params).toEqual({ answer: "no such number" })
    expect(sayReason(reasonOf(failed(422)), inGerman, "de").message).toContain("report an order")
    const conflict = FAILED.order_conflict("used by 7")
    expect(sayReason(conflict, inGerman, "de").message).toContain("used by 7")
    const refusal = callFailed(failed(403), "The webhook was not registered.") as SvcRefusal
    const press = sayReason({ ...refusal, code: String(refusal.code) }, inGerman, "de")
    expect(press.message).toContain("report an order")
  })

  it("says what the service refused as a refusal, whatever the service calls it", () => {
    const params = { answer: "brand is missing", said_code: "incomplete" }
    const { svc_rejected } = languages.de.svc.reasons
    expect(
      sayReason({ code: "svc_rejected", message: "", fix: "", params }, inGerman, "de"),
    ).toEqual({
      message: `${svc_rejected?.message} Details: brand is missing.`,
      fix: svc_rejected?.fix,
    })
  })
})
