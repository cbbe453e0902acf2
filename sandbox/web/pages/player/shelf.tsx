/** The products of the show. */

import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../shared/icon"
import { money, savedPercent } from "../shared/money"
import { Picture } from "../shared/picture"
import type { Player } from "./player"
import type { Product, Show } from "./service"
import { hasVariants, optionValues, quantityToAdd } from "./variants"

type ShelfProps = { player: Player; show: Show }
type Props = ShelfProps & { product: Product }

export function Shelf({ player, show }: ShelfProps) {
  return (
    <section class="shelf" aria-label="Products in this show" tabIndex={-1}>
      {show.products.length === 0 && (
        <p class="shelf-empty stack center soft">
          <Icon name="tag" />
          The first product is on its way. It appears here the moment the host shows it.
        </p>
      )}
      <ul class="cards">
        {show.products.map((product) => (
          <Card key={product.uid} player={player} show={show} product={product} />
        ))}
      </ul>
    </section>
  )
}

function Card({ player, show, product }: Props) {
  const { uid, external_id, name, image, suggested_retail_price: retail } = product
  const { currency } = show.event
  const price = player.priceNow(product)
  const saved = savedPercent(price, retail)
  const { flashes, pointedAt } = player.state
  const flash = flashes.get(uid)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (pointedAt !== uid) return
    card.current?.scrollIntoView({ block: "nearest", inline: "center" })
    card.current?.querySelector<HTMLElement>("button.add")?.focus({ preventScroll: true })
  }, [pointedAt, uid])
  return (
    <li
      ref={card}
      class="card"
      data-pointed={pointedAt === uid ? "" : undefined}
      data-testid="svc-product"
      data-external-id={external_id}
      data-flash={flash}
      data-soldout={player.isSoldOut(product) ? "" : undefined}
    >
      <div class="card-picture">
        <Picture url={image} sign="tag" />
        {saved > 0 && <span class="tag text-12 bold">−{saved} %</span>}
        {flash === "new" && <span class="tag new text-12 bold">New</span>}
      </div>
      <div class="card-body stack">
        <h2 class="strong wrap">{name}</h2>
        <p class="price row">
          <strong class="text-20 bold" data-testid="svc-price">
            {money(price, currency)}
          </strong>
          {saved > 0 && (
            <s class="soft" data-testid="svc-retail-price">
              <span class="unseen">instead of </span>
              {money(retail, currency)}
            </s>
          )}
        </p>
        {hasVariants(product) && <Variants player={player} product={product} />}
        <Limits product={product} />
        <AddButton player={player} show={show} product={product} />
      </div>
    </li>
  )
}

/** One option of few short values is a row of chips, anything else a menu per option. */
function Variants({ player, product }: { player: Player; product: Product }) {
  const options = optionValues(product)
  const names = player.variantOf(product)?.names ?? []
  const varying = options.filter((values) => values.length > 1).length
  return (
    <div class="variants stack">
      {options.map((values, position) => {
        if (values.length < 2 && options.length > 1) return null
        // What the choice is called no payload says (interface §2.7), so values tell two apart.
        const label = `${product.name}: ${values.slice(0, 3).join(", ")}`
        const choose = (value: string) => player.choose(product, position, value)
        const short = varying < 2 && values.length <= 5 && values.join("").length <= 14
        return short ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of chips
          <div key={label} class="chips row" role="group" aria-label={label}>
            {values.map((value) => (
              <button
                key={value}
                type="button"
                class="chip"
                aria-pressed={names[position] === value}
                onClick={() => choose(value)}
              >
                {value}
              </button>
            ))}
          </div>
        ) : (
          <select
            key={label}
            aria-label={label}
            value={names[position]}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        )
      })}
    </div>
  )
}

function Limits({ product }: { product: Product }) {
  const least = quantityToAdd(product)
  const most = product.max_qty_per_customer
  const texts = [least > 1 && `Sold from ${least}`, most && `At most ${most} per customer`]
  const text = texts.filter(Boolean).join(" · ")
  return text ? <small class="limits">{text}</small> : null
}

function AddButton({ player, show, product }: Props) {
  const { uid, name } = product
  const { sells, status } = show.event
  const phase = player.state.cards.get(uid)
  const soldOut = player.isSoldOut(product)
  const idle = soldOut || !sells
  const label = soldOut
    ? "Sold out"
    : !sells
      ? status === "planned"
        ? "Opens with the show"
        : "Not for sale"
      : phase === "adding"
        ? "Adding…"
        : phase === "added"
          ? "Added"
          : "Add to basket"
  const what = [name, ...(player.variantOf(product)?.names ?? [])].join(" ")
  return (
    <button
      type="button"
      class="button add"
      data-testid="svc-add"
      data-phase={phase ?? "ready"}
      aria-label={`${label}: ${what}`}
      disabled={idle}
      // Not "disabled" while adding: the button would lose the focus.
      aria-disabled={phase === "adding"}
      onClick={() => phase !== "adding" && player.add(product)}
    >
      {phase === "adding" ? (
        <span class="spinner" />
      ) : (
        !idle && <Icon name={phase === "added" ? "check" : "plus"} />
      )}
      <span>{label}</span>
    </button>
  )
}
