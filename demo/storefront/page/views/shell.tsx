import { basket, changeMarket, countOf, openBasket } from "../basket"
import { config, market } from "../market"
import { useValue } from "../state"
import { Icon } from "./icon"

export function Header() {
  return (
    <header class="top">
      <div class="wide">
        <a class="mark" href="/" aria-label="Hede & Havn, home">
          Hede <span>&amp;</span> Havn
        </a>
        <MarketSwitch />
        <BasketButton />
      </div>
    </header>
  )
}

function MarketSwitch() {
  const { id } = useValue(market)
  return (
    <select
      class="quiet small"
      aria-label="Country and currency"
      data-testid="market-switch"
      value={id}
      onChange={({ currentTarget }) => changeMarket(currentTarget.value)}
    >
      {config.markets.map((one) => (
        <option key={one.id} value={one.id}>
          {`${one.label} · ${one.currency.toUpperCase()}`}
        </option>
      ))}
    </select>
  )
}

function BasketButton() {
  const pieces = countOf(useValue(basket))
  return (
    <button
      type="button"
      class="icon-button"
      data-testid="cart-button"
      aria-haspopup="dialog"
      aria-label={`Basket, ${pieces} ${pieces === 1 ? "product" : "products"}`}
      onClick={openBasket}
    >
      <Icon name="basket" />
      {pieces > 0 && (
        <span class="count" aria-hidden="true">
          {pieces}
        </span>
      )}
    </button>
  )
}

export function Footer() {
  return (
    <footer class="bottom small soft">
      <div class="wide columns">
        <p>Hede &amp; Havn: quiet things for the home, made to be kept.</p>
        <p>A demo: nothing is charged, and nothing is sent.</p>
      </div>
    </footer>
  )
}
