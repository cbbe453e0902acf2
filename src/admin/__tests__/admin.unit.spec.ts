import { serviceId } from "../../contract/ids"
import { CATALOG_CODES } from "../../modules/svc/catalog/reasons"
import { MAKE_KEY_COMMAND as SERVER_COMMAND } from "../../modules/svc/connections/secrets"
import { EXCLUDED, FAILED } from "../../modules/svc/orders/reasons"
import { REFUSALS, type RefusalCode } from "../../modules/svc/shared/refusal"
import english from "../../texts/en.json"
import languages from "../i18n"
import { formatDuration, localeOf, withFullStop, withTimes } from "../lib/format"
import { MAKE_KEY_COMMAND } from "../lib/make-key-command"
import { mendOf } from "../lib/mends"
import { canBeReported, ordersSearch, sentOut, whyNotCounted } from "../lib/order"
import { priceRange } from "../lib/price-range"
import { daysAgo, readTimeSpan } from "../lib/time-span"
import type { EventProduct } from "../lib/types"
import { optionsOf, sentChangesOf, sentValuesOf } from "../routes/settings/svc/[id]/sent-settings"
import {
  bodyOf,
  EMPTY,
  isPageUid,
  isUrlWithoutQuery,
  sameAddress,
} from "../routes/settings/svc/connection-form"
import { barsOf, chartsOf, namesOf } from "../routes/svc/shows/[id]/bars"
import { stateOf, unsentOf } from "../routes/svc/shows/[id]/product-state"

/**
 * Refusals without a sentence in the admin's languages (`reasons` in `i18n/json`): what only shoppers and storefronts meet,
 * and what says with the server's words which part of a request is wrong.
 */
const NOT_HERE: ReadonlySet<string> = new Set<RefusalCode>([
  "invalid_request",
  "body_too_large",
  "not_plain_json",
  "page_not_connected",
  "channel_mismatch",
  "quantity_limited",
  "campaign_ended",
  "order_number_required",
  "too_many_requests",
  "cart_completed",
  "cart_busy",
  "cart_moved",
  "payment_under_way",
  "svc_price_changed",
])

/** The languages that are translations, with their texts, their reasons and the doctor's findings. */
const { en: _original, ...translated } = languages
const translations = Object.entries(translated).map(([language, { svc }]) => {
  const { reasons, findings, ...texts } = svc
  return [language, { texts, reasons, findings }] as const
})

/** The values that each text asks for, by the text's path. */
const valuesOf = (texts: object, path = ""): Record<string, string[]> =>
  Object.assign(
    {},
    ...Object.entries(texts).map(([name, text]) =>
      typeof text === "string"
        ? {
            [path + name]: [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, found]) => found).sort(),
          }
        : valuesOf(text, `${path}${name}.`),
    ),
  )

describe("what the admin pages say", () => {
  it("shows the command for a key that the server names as well", () => {
    expect(MAKE_KEY_COMMAND).toBe(SERVER_COMMAND)
  })

  it("is said in five languages with the same values, and with a plural wherever English has one", () => {
    expect(Object.keys(languages).sort()).toEqual(["de", "en", "fr", "nl", "sv"])
    const english = valuesOf(languages.en.svc)
    expect(Object.keys(english).length).toBeGreaterThan(300)
    for (const [language, { texts }] of translations) {
      expect([language, valuesOf(texts)]).toEqual([language, english])
    }
  })

  it("has a sentence and what to do in every language for every code that the server gives", () => {
    const refusals = Object.keys(REFUSALS).filter((code) => !NOT_HERE.has(code))
    expect(Object.keys(english.reasons)).toEqual(expect.arrayContaining(refusals))
    const codes = Object.keys(english.reasons).sort()
    const found = Object.keys(english.findings).sort()
    for (const [language, { reasons, findings }] of translations) {
      expect([language, Object.keys(reasons).sort()]).toEqual([language, codes])
      expect([language, Object.keys(findings).sort()]).toEqual([language, found])
      const texts = [...Object.values(reasons), ...Object.values(findings)]
      const empty = texts.filter(({ message, fix }) => !message || !fix)
      expect([language, empty]).toEqual([language, []])
    }
  })

  it("names in the sentences of a code only what the server gives with it, in every language the same", () => {
    const first = languages.de.svc
    for (const [language, { reasons, findings }] of translations) {
      expect([language, valuesOf(reasons)]).toEqual([language, valuesOf(first.reasons)])
      expect([language, valuesOf(findings)]).toEqual([language, valuesOf(first.findings)])
    }
    for (const list of ["reasons", "findings"] as const) {
      for (const [code, text] of Object.entries(english[list])) {
        const given = Object.values(valuesOf(text)).flat()
        const named = Object.values(valuesOf(first[list][code] ?? {})).flat()
        expect([code, named.filter((name) => !given.includes(name))]).toEqual([code, []])
      }
    }
  })

  it("has a name for every reason that a product can have", () => {
    // These speak of the connection or of an import, never of a single product.
    const ofConnection = [
      "endpoint_refuses",
      "import_failed",
      "most_refused",
      "service_fails",
      "slow_down",
    ]
    expect(Object.keys(languages.en.svc.products.reasonNames).sort()).toEqual(
      CATALOG_CODES.filter((code) => !ofConnection.includes(code)).sort(),
    )
  })

  it("names in what the doctor says the button by the word that it bears", () => {
    const test = languages.en.svc.webhook.doctor.test
    expect(english.findings.silent.fix).toContain(test)
    for (const [language, { texts, findings }] of translations) {
      for (const code of ["silent", "never_heard"]) {
        const { fix } = findings[code] ?? { fix: "" }
        expect([language, code, fix.includes(texts.webhook.doctor.test)]).toEqual([
          language,
          code,
          true,
        ])
      }
      const { examine, examineHint } = texts.webhook.doctor
      expect([language, examineHint.includes(examine)]).toEqual([language, true])
    }
  })

  it("offers something to press with what is wrong with receiving, where the admin has it", () => {
    // What webhook-problem.ts tells of.
    const withNothing = [
      "store_address_missing",
      "backend_url_missing",
      "insecure_url",
      "clock_skew",
      "listing_incomplete",
    ]
    const told = [
      "copy_of_another_store",
      "webhook_not_registered",
      "webhook_key_unknown",
      "webhook_missing",
      "webhook_disabled",
      "webhook_warning",
      "webhook_key_unsure",
      "webhook_other_address",
      "topics_missing",
      "webhook_silent",
      "webhook_never_heard",
      "deliveries_refused",
      "deliveries_quarantined",
      "deliveries_unknown",
      "deliveries_failed",
      ...withNothing,
    ]
    expect(told.filter((code) => mendOf(code) === null)).toEqual(withNothing)
    // The sentence names the button of the page that the link leads to.
    for (const [language, { texts, reasons }] of translations) {
      const { test, examine } = texts.webhook.doctor
      const named = [
        reasons.webhook_silent?.fix.includes(test),
        reasons.webhook_never_heard?.fix.includes(test),
        reasons.deliveries_refused?.fix.includes(examine),
      ]
      expect([language, ...named]).toEqual([language, true, true, true])
    }
  })

  it("turns Medusa's language names into ones that numbers can be written in", () => {
    expect([localeOf("en"), localeOf("enGB"), localeOf("ptBR"), localeOf(undefined)]).toEqual([
      "en",
      "en-GB",
      "pt-BR",
      "en",
    ])
  })

  it("says a time left in two units at most, with a full minute carried over", () => {
    expect(
      [0, 12, 75, 119.6, 3600, 3725, 86_400].map((seconds) => formatDuration(seconds, "en")),
    ).toEqual(["0 sec", "12 sec", "1 min 15 sec", "2 min", "1 hr", "1 hr 2 min", "24 hr"])
  })

  it("ends a sentence that another follows, whatever the words of others in it end with", () => {
    const ends = ["the disk is full", "status 503", "(23505)", "Try again.", "Why?", "„Nein“"]
    expect(ends.map(withFullStop)).toEqual([
      "the disk is full.",
      "status 503.",
      "(23505).",
      "Try again.",
      "Why?",
      "„Nein“",
    ])
  })

  it("writes the moments of a sentence in the language and leaves everything else", () => {
    expect(withTimes("Seit 2026-01-01T12:00:00.000Z: /a-b, 12:00", "de")).toMatch(
      /^Seit 0[12]\.01\.2026, \d\d:\d\d: \/a-b, 12:00$/,
    )
  })
})

describe("a span of time in the address", () => {
  const at = (iso: string | undefined) => iso && new Date(iso)

  it("begins and ends with whole days of the person who looks", () => {
    const filter = JSON.stringify({
      $gte: new Date(2026, 0, 30).toISOString(),
      $lte: new Date(2026, 0, 31).toISOString(),
    })
    const { from, to } = readTimeSpan(filter)
    expect(at(from)).toEqual(new Date(2026, 0, 30))
    expect(at(to)).toEqual(new Date(2026, 1, 1))
  })

  it("may be open on one side, and is none where the address holds anything else", () => {
    const beginning = new Date(2026, 0, 30).toISOString()
    expect(readTimeSpan(JSON.stringify({ $gte: beginning }))).toEqual({ from: beginning })
    const typed = [null, "", "today", "[]", "7", "null", '{"$gte":7}', '{"$lte":"soon"}']
    expect(typed.map(readTimeSpan)).toEqual(typed.map(() => ({})))
  })

  it("counts days back over the end of a month", () => {
    expect(daysAgo(7, new Date(2026, 2, 3, 15, 30))).toEqual(new Date(2026, 1, 24))
  })
})

describe("an address", () => {
  it("is whole, and only of the web", () => {
    expect(["https://a.example", " http://127.0.0.1:9400 "].map(isUrlWithoutQuery)).toEqual([
      true,
      true,
    ])
    const refused = ["a.example", "javascript:1", "", "https://a.example/?page=1"]
    expect(refused.map(isUrlWithoutQuery)).toEqual([false, false, false, false])
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
    const ids = ["demo-page", " demo-page ", "a b/c", "å", " .. ", "a/..", "a\nb", ""]
    expect(ids.map(isPageUid)).toEqual(ids.map((id) => serviceId.safeParse(id.trim()).success))
  })
})

describe("an order of a show", () => {
  it("can be reported again, but not where it is no order any more", () => {
    expect(canBeReported({ reason: null, canceled_at: null })).toBe(true)
    const never = Object.keys({ ...EXCLUDED, ...FAILED }).filter(
      (code) => !canBeReported({ reason: { code }, canceled_at: null }),
    )
    expect(never).toEqual([
      "order_cancelled",
      "order_cancelled_maybe_told",
      "order_deleted",
      "page_left",
      "order_number_shared",
      "connection_not_found",
      "connection_not_found_maybe_told",
    ])
    // Reported, and cancelled since.
    expect(canBeReported({ reason: null, canceled_at: "2026-11-23T00:00:00.000Z" })).toBe(false)
  })

  it("says why what it sold is not among the results", () => {
    const counted = { canceled_at: null, left_out: null, unpaid: false }
    const at = "2026-11-23T00:00:00.000Z"
    expect([
      whyNotCounted(counted),
      whyNotCounted({ ...counted, unpaid: true }),
      whyNotCounted({ ...counted, left_out: "test_order", unpaid: true }),
      whyNotCounted({ canceled_at: at, left_out: "test_order", unpaid: true }),
    ]).toEqual([null, "orders.unpaid", "orders.leftOut", "orders.cancelled"])
  })

  it("has lines that add up to what it sold, with what an exchange sent out for them", () => {
    const lines = (...nets: number[]) => nets.map((net) => ({ net }))
    expect(sentOut({ net: 99.95, lines: lines(0) })).toBe(99.95)
    expect(sentOut({ net: 0.3, lines: lines(0.1, 0.2) })).toBe(0)
    // Its ledger is not made yet.
    expect(sentOut({ net: null, lines: lines(0) })).toBe(0)
  })

  it("is found with the others of its campaign, whatever the campaign is called", () => {
    const campaign = { campaign_uid: 'a&b "c"', connection_id: "svccon_1" }
    const search = new URLSearchParams(ordersSearch(campaign))
    expect(JSON.parse(search.get("campaign_uid") ?? "")).toEqual(['a&b "c"'])
    expect(JSON.parse(search.get("connection_id") ?? "")).toEqual(["svccon_1"])
  })

  it("is found in the span of time in which it was counted", () => {
    const span = JSON.stringify({ $gte: "2026-01-01T00:00:00.000Z" })
    const search = new URLSearchParams(
      ordersSearch({ campaign_uid: "c", connection_id: "svccon_1" }, span),
    )
    expect(search.get("placed_at")).toBe(span)
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
    catalog_item: { id: "row", state: "synced", image: null, price: null },
  }
  const problem = (code: string) => ({ code, message: `${code}.`, fix: "Mend it." })
  const shown = (ready: boolean, codes: string[], state?: string) => {
    const one = {
      ...product,
      readiness: { ready, problems: codes.map(problem) },
      catalog_item: state === undefined ? null : { id: "row", state, image: null, price: null },
    }
    return [stateOf(one), unsentOf(one)]
  }

  it("is shown as the server decides it, in a colour of its own where somebody should look at it", () => {
    expect([
      shown(true, [], "synced"),
      shown(true, ["price_above_catalog"], "pending"),
      shown(false, ["not_in_show"], "failed"),
      shown(false, ["not_available"], "synced"),
      shown(false, ["not_in_store", "no_show_price"]),
    ]).toEqual([
      ["ready", undefined],
      ["warned", undefined],
      ["removed", undefined],
      ["notReady", undefined],
      ["notReady", undefined],
    ])
  })

  it("has a price from its cheapest variant to its dearest, those at the product's own price too", () => {
    const euro = (amount: number | null) => (amount === null ? "-" : `${amount} EUR`)
    const variant = { uid: "v", sku: null, external_id: "variant_s", names: [], price: null }
    const range = (price: number | null, ...prices: (number | null)[]) =>
      priceRange({ price, variants: prices.map((own) => ({ ...variant, price: own })) }, euro)
    expect([range(79), range(79, 99, null), range(79, 99, 89), range(null, 99, null)]).toEqual([
      "79 EUR",
      "79 EUR – 99 EUR",
      "89 EUR – 99 EUR",
      "99 EUR",
    ])
    expect([range(79, null), range(null, null)]).toEqual(["79 EUR", "-"])
  })

  it("offers to send the product once more where that may help", () => {
    expect(shown(false, ["svc_rejected"], "failed")).toEqual(["notReady", "row"])
    expect(shown(false, ["not_sent_yet"], "pending")).toEqual(["notReady", "row"])
    expect(shown(true, ["svc_rejected"], "failed")).toEqual(["warned", "row"])
  })
})

describe("bars of what a show earned by the hour", () => {
  it("are as high as the amounts, and share a line at zero", () => {
    expect(barsOf([200, 50, 0])).toEqual([
      { bottom: 0, height: 100 },
      { bottom: 0, height: 25 },
      { bottom: 0, height: 0 },
    ])
    // In the second hour more was paid back than sold.
    expect(barsOf([300, -100])).toEqual([
      { bottom: 25, height: 75 },
      { bottom: 0, height: 25 },
    ])
    expect(barsOf([0])).toEqual([{ bottom: 0, height: 0 }])
  })

  it("are named by the hour, and by the day where they are of several", () => {
    const days = (...periods: string[]) =>
      namesOf(
        periods.map((period) => ({ period })),
        "en",
      ).map(({ day }) => day)
    // In the day of who looks.
    const at = (day: number, hour: number) => new Date(2026, 9, day, hour).toISOString()
    const [first, second, other] = [at(3, 19), at(3, 20), at(9, 19)]
    expect(days(first, second)).toEqual([null, null])
    expect(days(first, second, other)).toEqual(["Oct 3", null, "Oct 9"])
  })

  it("are of the latest hours in which something was sold, for each currency", () => {
    const hour = (at: number, net: number, currency_code = "dkk", units = Math.sign(net)) => ({
      at,
      net,
      units,
      currency_code,
    })
    const barAt = (results: ReturnType<typeof hour>[]) =>
      chartsOf(results).map((chart) => [chart.currency, chart.hours.map(({ at }) => at)])
    const span = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
    // After the show and what came back of it, a day in which nobody paid. In one hour everything cost nothing.
    const quiet = span(4, 28).map((at) => hour(at, 0))
    const evening = [hour(3, -79), hour(2, 0, "dkk", 1), hour(1, 158)]
    expect(barAt([...quiet.reverse(), ...evening])).toEqual([["dkk", [1, 2, 3]]])
    // As many as there is room for, of each.
    const long = span(1, 30).flatMap((at) => [hour(31 - at, 79), hour(31 - at, 89, "sek")])
    expect(barAt(long)).toEqual([
      ["dkk", span(7, 30)],
      ["sek", span(7, 30)],
    ])
    // One hour has nothing to be compared with.
    expect(barAt([hour(1, 79)])).toEqual([])
  })
})

describe("the form of what is sent", () => {
  type Held = Parameters<typeof sentChangesOf>[1]
  const saved = (held: object) => {
    const connection = { catalog: null, report_settings: {}, ...held } as Held
    return sentChangesOf(sentValuesOf(connection), connection)
  }

  it.each([
    [{}],
    [{ catalog: { exclude: { tag_ids: ["t"], metadata: { a: "b" }, category_ids: ["c"] } } }],
    [{ catalog: { push: false, locale: null }, report_settings: { needs_consent: true } }],
  ])("sends nothing of what nobody has changed: %j", (held) => {
    expect(saved(held)).toEqual({})
  })

  it("offers what is stored and deleted by now, so that somebody can take it out", () => {
    const listed = [{ id: "pcat_mugs", name: "Mugs" }]
    expect(optionsOf(listed, ["pcat_mugs", "pcat_gone"])).toEqual([
      ...listed,
      { id: "pcat_gone", name: "pcat_gone" },
    ])
    // Before the store's list is there nothing is known to be gone.
    expect(optionsOf(undefined, ["pcat_mugs"])).toBeUndefined()
  })

  it.each([
    [{ catalog: { exclude: { brand_ids: ["b"] } } }, { catalog: { exclude: null } }],
    [
      { catalog: { include: { tag_ids: ["t"], brand_ids: ["b"] } } },
      { catalog: { include: { tag_ids: ["t"] } } },
    ],
    [{ catalog: { push: "no" } }, { catalog: { push: false } }],
    [{ report_settings: { needs_consent: "yes" } }, { report_settings: { needs_consent: true } }],
    [{ catalog: "all" }, { catalog: { push: true, include: null, exclude: null } }],
  ])("mends what cannot be read, and guesses no more than it has to: %j", (held, body) => {
    expect(saved(held)).toMatchObject(body)
  })
})
