import { useState } from "preact/hooks"
import { announce } from "../announce"
import type { Cart, LineItem } from "../api"
import { refresh, setQuantity } from "../basket"
import { showName, shows } from "../live"
import { money } from "../money"
import { useValue } from "../state"
import { Icon } from "./icon"
import { messageOf, Problem } from "./notices"
import { Picture } from "./picture"
import { Struck } from "./price"
import { Stepper } from "./stepper"

/** A basket line's amounts. A struck price appears only where the catalog's is the higher one. */
function amountsOf({ unit_price, compare_at_unit_price, quantity }: LineItem) {
  const before = compare_at_unit_price ?? 0
  return { now: unit_price * quantity, before: before > unit_price ? before * quantity : null }
}

/** The basket's lines: to change, in the drawer and on the basket page, or to read, at checkout. */
export function LineList({ cart, editable = false }: { cart: Cart; editable?: boolean }) {
  // The store answers them in no order; a line must not jump when its quantity changes.
  const lines = [...cart.items].sort((a, b) =>
    `${a.created_at} ${a.id}`.localeCompare(`${b.created_at} ${b.id}`),
  )
  return (
    <ul class="lines" aria-label="Products in your basket">
      {lines.map((line) => (
        <Line key={line.id} line={line} currency={cart.currency_code} editable={editable} />
      ))}
    </ul>
  )
}

type LineProps = { line: LineItem; currency: string; editable: boolean }

function Line({ line, currency, editable }: LineProps) {
  const { quantity, product_title: title, product_handle: handle } = line
  const { now, before } = amountsOf(line)
  const campaign = line.metadata?.svc_campaign_uid
  const all = useValue(shows)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState("")

  const change = async (wanted: number) => {
    setBusy(true)
    setTrouble("")
    try {
      await setQuantity(line, wanted)
      announce(wanted > 0 ? `${title}: ${wanted}` : `${title} removed`)
    } catch (error) {
      setTrouble(messageOf(error))
      await refresh()
    }
    setBusy(false)
  }

  return (
    <li
      class="line"
      data-testid="cart-line"
      data-handle={handle}
      data-campaign={campaign}
      aria-busy={busy}
    >
      <Picture url={line.thumbnail} />
      <div class="stack gap-4">
        <a class="strong" href={`/products/${encodeURIComponent(handle ?? "")}`}>
          {title}
        </a>
        {hasChoice(line) && <p class="soft small">{line.variant_title}</p>}
        {Boolean(campaign) && (
          <p class="badge sale">
            <Icon name="play" />
            <span>
              <span class="unseen">Price of the show </span>
              {showName(all, campaign)}
            </span>
          </p>
        )}
        {editable ? (
          <div class="row gap-16">
            <Stepper name={`Quantity of ${title}`} value={quantity} onChange={change} />
            <button
              type="button"
              class="link soft small"
              aria-label={`Remove ${title}`}
              onClick={() => change(0)}
            >
              Remove
            </button>
          </div>
        ) : (
          <p class="soft small">Quantity {quantity}</p>
        )}
        {trouble && <Problem text={trouble} />}
      </div>
      <p class="numeric">
        <span class={before === null ? "" : "reduced"} data-testid="line-price" data-amount={now}>
          {money(now, currency)}
        </span>
        {before !== null && (
          <Struck amount={before} currency={currency} testId="line-original-price" />
        )}
      </p>
    </li>
  )
}

const hasChoice = ({ variant_title }: LineItem) =>
  variant_title && !/^default( variant)?$/i.test(variant_title)

const Row = ({ name, children }: { name: string; children: string }) => (
  <>
    <dt>{name}</dt>
    <dd class={children === LATER ? "soft" : ""}>{children}</dd>
  </>
)

const LATER = "at checkout"

/** What the basket costs. Tax is a line of its own only where the prices are without it. */
export function Totals({ cart }: { cart: Cart }) {
  const show = (amount: number) => money(amount, cart.currency_code)
  const inclusive = cart.items.every((line) => line.is_tax_inclusive)
  const hasShipping = (cart.shipping_methods?.length ?? 0) > 0
  const saved = cart.items.reduce((sum, line) => {
    const { now, before } = amountsOf(line)
    return before === null ? sum : sum + before - now
  }, 0)
  return (
    <dl class="totals">
      <Row name="Products">{show(inclusive ? cart.item_total : cart.item_subtotal)}</Row>
      <Row name="Delivery">
        {hasShipping ? show(inclusive ? cart.shipping_total : cart.shipping_subtotal) : LATER}
      </Row>
      {/* Until the country is known, there is no tax to name. */}
      {!inclusive && <Row name="VAT">{cart.tax_total > 0 ? show(cart.tax_total) : LATER}</Row>}
      <dt class="text-20 strong">Total</dt>
      <dd class="text-20 strong" data-testid="cart-total" data-amount={cart.total}>
        {show(cart.total)}
      </dd>
      {inclusive && (
        <>
          <dt class="soft small">of which VAT</dt>
          <dd class="soft small">{show(cart.tax_total)}</dd>
        </>
      )}
      {saved > 0 && (
        <>
          <dt class="reduced small">You save</dt>
          <dd class="reduced small">{show(saved)}</dd>
        </>
      )}
    </dl>
  )
}
