import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { completeCart, type PriceChange, startPayment } from "svc-storefront"
import { announce } from "../announce"
import { type Address, type Cart, retrieveCart, setCountry, updateCart } from "../api"
import { basket, forgetBasket, refresh } from "../basket"
import { config, market } from "../market"
import { money } from "../money"
import { navigate } from "../navigation"
import { useValue } from "../state"
import { useTitle } from "../title"
import { EmptyBasket } from "./drawer"
import { Field, faultsOf } from "./field"
import { LineList, Totals } from "./lines"
import { ChangedPrices, messageOf, Problem } from "./notices"
import { ShippingChoice, useShipping } from "./shipping-choice"

/** One page from address to order. The total beside it is always the store's own. */
export function CheckoutPage() {
  useTitle("Checkout")
  const cart = useValue(basket)
  return (
    <div class="page">
      <h1 class="title">Checkout</h1>
      {cart?.items.length ? (
        <div class="two-columns">
          <OrderForm key={cart.id} cart={cart} />
          <aside class="summary stack gap-16">
            <h2 class="text-20 strong">Your order</h2>
            <LineList cart={cart} />
            <Totals cart={cart} />
          </aside>
        </div>
      ) : (
        <EmptyBasket />
      )}
    </div>
  )
}

const PROVIDER = { provider_id: "pp_system_default" }

function OrderForm({ cart }: { cart: Cart }) {
  const known = cart.shipping_address ?? {}
  const countries = cart.region?.countries ?? []
  const country = useRef(known.country_code ?? countries[0]?.iso_2 ?? "")
  // The country decides the tax, and the tax the total: both are known before anything is ordered.
  const tax = async () => basket.set(await setCountry(cart.id, country.current))
  const shipping = useShipping(cart.id, async () => {
    if (known.country_code !== country.current) await tax()
  })
  const [changes, setChanges] = useState<PriceChange[]>([])
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [trouble, setTrouble] = useState("")
  const [placing, setPlacing] = useState(false)
  /** What the button says; the address may change it. */
  const shown = (basket.get() ?? cart).total
  const mended = (name: string) => setFaults(({ [name]: _, ...others }) => others)

  async function placeOrder(form: HTMLFormElement): Promise<void> {
    const { email = "", ...address } = Object.fromEntries(new FormData(form)) as Record<
      string,
      string
    >
    const place = pick(address)
    basket.set(
      await updateCart(cart.id, { email, shipping_address: place, billing_address: place }),
    )
    await shipping.confirm()

    const store = storeOfMarket()
    // Pressing the button again, under the new prices, means that the shopper agrees to them.
    const options = { acknowledged: changes, total: shown }
    const payment = await startPayment(store, basket.get() ?? cart, PROVIDER, options)
    const done = payment.type === "payment" ? await completeCart(store, cart.id, options) : payment
    if (done.type === "order") {
      showOrder(done.order.id)
    } else if (done.type === "cart") {
      setTrouble(done.error?.message ?? "The payment needs another step.")
    } else {
      await refresh()
      setChanges(done.lines)
      if (done.lines.length === 0) {
        setTrouble("The total has changed. Please look at your order once more, and place it then.")
      }
      announce("Prices have changed. Please look at your order again.")
    }
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    if (placing) return
    const found = faultsOf(form)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setPlacing(true)
    setTrouble("")
    try {
      await placeOrder(form)
    } catch (error) {
      if (!(await findOrder(cart.id).catch(() => false))) {
        setTrouble(messageOf(error))
        await refresh()
      }
    }
    setPlacing(false)
  }

  const field = (name: keyof Address | "email", label: string, autoComplete: string) => (
    <Field
      name={name}
      label={label}
      autoComplete={autoComplete}
      value={name === "email" ? cart.email : known[name]}
      error={faults[name]}
      onInput={mended}
    />
  )
  const price = money(shown, cart.currency_code)
  return (
    <form class="stack order-form" noValidate onSubmit={submit} aria-busy={placing}>
      <Section title="Contact">{field("email", "Email", "email")}</Section>
      <Section title="Delivery address">
        <div class="columns">
          {field("first_name", "First name", "given-name")}
          {field("last_name", "Last name", "family-name")}
        </div>
        {field("address_1", "Street and number", "street-address")}
        <div class="columns">
          {field("postal_code", "Postcode", "postal-code")}
          {field("city", "City", "address-level2")}
        </div>
        <label class="field stack gap-4">
          <span class="small strong">Country</span>
          <select
            name="country_code"
            autoComplete="country"
            data-testid="checkout-country"
            onChange={({ currentTarget }) => {
              country.current = currentTarget.value
              tax().catch(() => undefined)
            }}
          >
            {countries.map(({ iso_2, display_name }) => (
              <option key={iso_2} value={iso_2} selected={iso_2 === country.current}>
                {display_name}
              </option>
            ))}
          </select>
        </label>
      </Section>
      <Section title="Delivery">
        <ShippingChoice shipping={shipping} />
      </Section>
      <Section title="Payment">
        <label class="radio-card row">
          <input type="radio" name="payment" checked />
          <span class="strong grow">Pay by invoice</span>
          <span class="soft small">This is a demo: nothing is charged.</span>
        </label>
      </Section>
      <div class="stack gap-0">
        <div class="notices" aria-live="assertive">
          {trouble && <Problem text={trouble} />}
          {changes.length > 0 && <ChangedPrices lines={changes} />}
        </div>
        <button
          type="submit"
          class="button primary"
          data-testid="place-order"
          disabled={placing || !shipping.priced}
        >
          {placing
            ? "Placing your order…"
            : `Place order${changes.length > 0 ? " at the new price" : ""} · ${price}`}
        </button>
      </div>
    </form>
  )
}

const storeOfMarket = () => ({
  baseUrl: config.storeUrl,
  publishableKey: market.get().publishableKey,
})

function showOrder(id: string): void {
  forgetBasket()
  navigate(`/thanks/${id}`)
}

/** The order may be placed, and only the answer lost: a basket that is ordered answers its order. */
async function findOrder(cartId: string): Promise<boolean> {
  if (!(await retrieveCart(cartId)).completed_at) return false
  const done = await completeCart(storeOfMarket(), cartId)
  if (done.type !== "order") return false
  showOrder(done.order.id)
  return true
}

const pick = ({
  first_name = "",
  last_name = "",
  address_1 = "",
  postal_code = "",
  city = "",
  country_code = "",
}: Record<string, string>): Address => ({
  first_name,
  last_name,
  address_1,
  postal_code,
  city,
  country_code,
})

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="stack gap-16">
    <h2 class="text-20 strong">{title}</h2>
    {children}
  </section>
)
