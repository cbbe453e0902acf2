/** The Next recipe's button on the product page: on a store's socket, with what the starter has around it. */
import type { ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { buildRecipe } from "./built-recipe"
import { startLocalStore } from "./local-store"

type Button = (props: { product: object; variant?: object }) => ReactElement | null

/** What React and the starter have. A component's state outlives its calls; its effect runs once. */
const AROUND: Record<string, string> = {
  react: `
    export const useState = (first) => {
      const { states } = globalThis.shown
      const at = globalThis.shown.asked++
      states[at] ??= first
      return [states[at], (next) => { states[at] = next }]
    }
    export const useEffect = (work) => { globalThis.shown.effect ??= work }`,
  "@lib/util/money": `
    export const convertToLocale = ({ amount, currency_code }) => amount + " " + currency_code.toUpperCase()`,
}

let store: Awaited<ReturnType<typeof startLocalStore>>
let Button: Button

beforeAll(async () => {
  store = await startLocalStore()
  const built = await buildRecipe<{ default: Button }>("svc-show-button.tsx", AROUND, {
    NEXT_PUBLIC_MEDUSA_BACKEND_URL: store.url,
    NEXT_PUBLIC_SVC_PAGE_UID: "page_dk",
  })
  Button = built.default
})
afterAll(() => store.close())

const sells = (shows: object[]) =>
  store.on("GET /store/svc/live-events?status=live&page_uid=page_dk", () => ({
    body: { live_events: shows },
  }))

/** A page with the button, and what happens to a page that stays open. */
async function openPage(
  currency_code: string,
  shows: object[],
  { chosen = false, usual = {} }: { chosen?: boolean; usual?: object } = {},
) {
  store.reset()
  sells(shows)
  const shown = { states: [] as unknown[], asked: 0, effect: undefined as (() => void) | undefined }
  const listeners = new Map<string, () => void>()
  const document = { hidden: false, addEventListener: listeners.set.bind(listeners) }
  Object.assign(globalThis, { shown, document })
  const everyMinute = jest.spyOn(globalThis, "setInterval").mockReturnValue(0 as never)
  const variant = {
    id: "variant_m",
    calculated_price: {
      calculated_amount: 189,
      is_calculated_price_tax_inclusive: true,
      currency_code,
      ...usual,
    },
  }
  const product = { id: "prod_mug", variants: [variant] }
  const render = () => {
    shown.asked = 0
    return renderToStaticMarkup(Button(chosen ? { product, variant } : { product }))
  }
  expect(render()).toBe("")
  /** What the page shows once the store has answered. */
  const answered = async (ask: (() => void) | undefined) => {
    if (!ask) throw new Error("The page does not ask again.")
    const before = shown.states[0]
    ask()
    while (shown.states[0] === before) await new Promise((done) => setTimeout(done, 5))
    return render()
  }
  const first = await answered(shown.effect)
  const [aMinuteLater] = everyMinute.mock.lastCall ?? []
  everyMinute.mockRestore()
  return {
    first,
    render,
    seenAgain: () => answered(listeners.get("visibilitychange")),
    aMinuteLater: () => answered(aMinuteLater as () => void),
  }
}

/** What the page shows of the button once the store has named its shows. */
const shownFor = async (...page: Parameters<typeof openPage>) => (await openPage(...page)).first

const show = (currency_code: string | null, product: object, prices_include_tax = true) => ({
  currency_code,
  prices_include_tax,
  products: [{ external_id: "prod_mug", available: true, price: 129, variants: [], ...product }],
})

it.each([
  ["in another currency", show("DKK", {})],
  ["in none that is known", show(null, {})],
  ["that has sold out", show("EUR", { available: false })],
  ["that has no price", show("EUR", { price: null })],
  ["that costs as much", show("EUR", { price: 189 })],
])("leads to the show that sells the product here, behind a show %s", async (_which, other) => {
  expect(await shownFor("eur", [other, show("EUR", { price: 17 })])).toContain(
    "Buy in the show for 17 EUR",
  )
  expect(await shownFor("eur", [other])).toBe("")
})

it("has the price of the variant that is chosen", async () => {
  const shows = [show("EUR", { variants: [{ external_id: "variant_m", price: 19 }] })]
  expect(await shownFor("eur", shows)).toContain("for 129 EUR")
  expect(await shownFor("eur", shows, { chosen: true })).toContain("for 19 EUR")
})

it("is not there for a variant that the show does not have", async () => {
  const other = [{ external_id: "variant_s", price: 79 }]
  const shows = [show("EUR", { variants: other })]
  expect(await shownFor("eur", shows, { chosen: true })).toBe("")
  expect(await shownFor("eur", shows)).toContain("for 129 EUR")
})

it.each([
  ["incl. VAT", { price: 199 }, true, { is_calculated_price_tax_inclusive: false }],
  ["excl. VAT", { price: 195 }, false, {}],
] as const)(
  "says what the show's price is where the shop's own cannot be compared with it: %s",
  async (words, product, withTax, usual) => {
    expect(await shownFor("eur", [show("EUR", product, withTax)], { usual })).toContain(
      `for ${product.price} EUR ${words}`,
    )
  },
)

it.each(["seenAgain", "aMinuteLater"] as const)(
  "is gone when the show is over on a page that stays open: %s",
  async (moment) => {
    const page = await openPage("eur", [show("EUR", { price: 17 })])
    expect(page.first).toContain("for 17 EUR")
    sells([])
    expect(await page[moment]()).toBe("")
  },
)

it("is gone with the deadline, before the store is asked again", async () => {
  const deadline = Date.now() + 60_000
  const ends = { ...show("EUR", { price: 17 }), deadline: new Date(deadline).toISOString() }
  const page = await openPage("eur", [ends])
  expect(page.first).toContain("for 17 EUR")
  const clock = jest.spyOn(Date, "now").mockReturnValue(deadline)
  expect(page.render()).toBe("")
  clock.mockRestore()
})
