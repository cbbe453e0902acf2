import { useEffect, useRef } from "preact/hooks"
import { basket, changeMarket, countOf, openBasket } from "../basket"
import { config, market } from "../market"
import { address, navigate } from "../navigation"
import { useValue } from "../state"
import { Icon } from "./icon"

export function Header() {
  return (
    <header class="top">
      <div class="wide">
        <a class="mark" href="/" aria-label="Hede & Havn, home">
          Hede <span>&amp;</span> Havn
        </a>
        <Search />
        <MarketSwitch />
        <BasketButton />
      </div>
    </header>
  )
}

function Search() {
  const input = useRef<HTMLInputElement>(null)
  const url = useValue(address)
  const asked = url.searchParams.get("q") ?? ""
  useEffect(() => {
    if (input.current) input.current.value = asked
  }, [asked])
  const find = (event: Event) => {
    event.preventDefault()
    const wanted = input.current?.value.trim()
    navigate(wanted ? `/?q=${encodeURIComponent(wanted)}` : "/")
  }
  return (
    <search class="search">
      <form onSubmit={find}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          name="q"
          placeholder="Search"
          aria-label="Search products"
          autoComplete="off"
        />
      </form>
    </search>
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

const COLUMNS = [
  ["Hede & Havn", "Quiet things for the home,", "made to be kept."],
  ["Delivery", "Sent within two days", "Thirty days to change your mind"],
  ["About this shop", "A demo: nothing is charged,", "and nothing is sent."],
]

export function Footer() {
  return (
    <footer class="bottom small soft">
      <div class="wide columns">
        {COLUMNS.map(([title, ...lines]) => (
          <div key={title}>
            <h2 class="strong">{title}</h2>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        ))}
      </div>
    </footer>
  )
}
