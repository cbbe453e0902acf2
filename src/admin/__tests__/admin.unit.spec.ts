import { pathId } from "../../contract/ids"
import { MAKE_KEY_COMMAND as SERVER_COMMAND } from "../../modules/svc/connections/secrets"
import de from "../i18n/de"
import en from "../i18n/en"
import { formatDuration, formatMoney, formatRelative, localeOf } from "../lib/format"
import { MAKE_KEY_COMMAND } from "../lib/make-key-command"
import type { EventProduct } from "../lib/types"
import {
  bodyOf,
  EMPTY,
  isHttpUrl,
  PAGE_UID,
  sameAddress,
} from "../routes/settings/svc/connection-form"
import { shownReadiness } from "../routes/svc/shows/[id]/readiness"

describe("what the admin pages say", () => {
  it("shows the command for a key that the server names as well", () => {
    expect(MAKE_KEY_COMMAND).toBe(SERVER_COMMAND)
  })

  it("asks in every language for the same values", () => {
    const placeholders = (texts: object, path = ""): [string, string[]][] =>
      Object.entries(texts).flatMap(([name, text]) =>
        typeof text === "string"
          ? [[path + name, [...text.matchAll(/\{\{\w+\}\}/g)].map(([found]) => found).sort()]]
          : placeholders(text, `${path}${name}.`),
      )
    expect(placeholders(de)).toEqual(placeholders(en))
  })

  it("turns Medusa's language names into ones that numbers can be written in", () => {
    expect([localeOf("en"), localeOf("enGB"), localeOf("ptBR"), localeOf(undefined)]).toEqual([
      "en",
      "en-GB",
      "pt-BR",
      "en",
    ])
  })

  it("writes amounts in the digits of their currency", () => {
    expect(formatMoney(1249.5, "eur", "en")).toBe("€1,249.50")
    expect(formatMoney(1249, "jpy", "en")).toBe("¥1,249")
  })

  it("says a time left in two units at most", () => {
    expect([0, 12, 75, 3600, 3725, 86_400].map((seconds) => formatDuration(seconds, "en"))).toEqual(
      ["0 sec", "12 sec", "1 min 15 sec", "1 hr", "1 hr 2 min", "24 hr"],
    )
  })

  it("carries a full minute over", () => {
    expect(formatDuration(119.6, "en")).toBe("2 min")
  })

  it("says times as people do, past and to come", () => {
    const now = Date.parse("2026-01-01T12:00:00Z")
    expect(formatRelative("2026-01-01T11:57:10Z", "en", now)).toBe("2 minutes ago")
    expect(formatRelative("2026-01-01T14:00:00Z", "en", now)).toBe("in 2 hours")
  })
})

describe("an address", () => {
  it("is whole, and only of the web", () => {
    expect(["https://a.example", " http://127.0.0.1:9400 "].map(isHttpUrl)).toEqual([true, true])
    expect(["a.example", "ftp://a.example", "javascript:1", ""].map(isHttpUrl)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it("is the same with and without its last slash, so that the token is not asked for", () => {
    expect(sameAddress("https://a.example/", "https://a.example")).toBe(true)
    expect(sameAddress("https://a.example/b", "https://a.example")).toBe(false)
  })
})

describe("the form of a connection", () => {
  it("cuts blanks off what was pasted, and leaves an empty token out, so that it stays", () => {
    const values = { ...EMPTY, name: " Denmark ", page_uid: " demo-page\n", api_token: "  " }
    expect(bodyOf(values)).toMatchObject({ name: "Denmark", page_uid: "demo-page" })
    expect(bodyOf(values)).not.toHaveProperty("api_token")
    expect(bodyOf({ ...values, api_token: " token " })).toMatchObject({ api_token: "token" })
  })

  it("takes the page ids that the server takes", () => {
    const ids = ["demo-page", " demo-page ", "a.b_c~d:e", "..", "a/b", "-a", ""]
    expect(ids.map((id) => PAGE_UID.test(id))).toEqual(
      ids.map((id) => pathId.safeParse(id.trim()).success),
    )
  })
})

describe("the readiness of a product in a show", () => {
  const product: EventProduct = {
    uid: "ep",
    sku: "MUG",
    external_id: "prod_mug",
    campaign_uid: "camp",
    name: "Mug",
    price: 99,
    suggested_retail_price: 129,
    available: true,
    min_purchase_qty: null,
    max_qty_per_customer: null,
    variants: [],
    deleted_at: null,
    occurred_at: "2026-01-01T00:00:00Z",
    needs_reread: false,
    readiness: { ready: true, problems: [] },
    catalog_item: { id: "row", state: "synced" },
  }
  const problem = (code: string) => ({ code, message: `${code}.`, fix: "Mend it." })
  const shown = (codes: string[], state: string | null = "synced") =>
    shownReadiness({
      ...product,
      readiness: { ready: codes.length === 0, problems: codes.map(problem) },
      catalog_item: state === null ? null : { id: "row", state },
    })

  it("is shown as the server decides it, with what it says", () => {
    expect(shownReadiness(product)).toEqual({ state: "ready", why: [] })
    expect(shown(["not_in_show"])).toEqual({ state: "removed" })
    expect(shown(["not_available"])).toEqual({
      state: "notReady",
      why: [problem("not_available")],
    })
    expect(shown(["not_in_store", "no_show_price"], null)).toEqual({
      state: "notReady",
      why: [problem("not_in_store"), problem("no_show_price")],
    })
  })

  it("shows a warning of a product that sells", () => {
    const readiness = { ready: true, problems: [problem("price_above_catalog")] }
    expect(shownReadiness({ ...product, readiness })).toEqual({
      state: "ready",
      why: [problem("price_above_catalog")],
    })
  })

  it("offers to send the product once more where that may help", () => {
    for (const [code, state] of [
      ["svc_rejected", "failed"],
      ["not_sent_yet", "pending"],
    ] as const) {
      expect(shown([code], state)).toEqual({
        state: "notReady",
        why: [problem(code)],
        itemId: "row",
      })
    }
  })
})
