import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { openPlayer } from "svc-storefront"
import { announce } from "../announce"
import { findProduct, type Product, type Variant } from "../api"
import { add, openBasket } from "../basket"
import { inShow, showPrice, shows } from "../live"
import { money } from "../money"
import { showNotice } from "../notice"
import { useValue } from "../state"
import { useTitle } from "../title"
import { Icon } from "./icon"
import { DidNotLoad, useLoaded } from "./loading"
import { NotFoundPage } from "./not-found"
import { messageOf, Problem } from "./notices"
import { Picture } from "./picture"
import { Price, priceOf, SaleBadge, stockOf } from "./price"
import { Stepper } from "./stepper"

export function ProductPage({ handle }: { handle: string }) {
  const { loaded, again } = useLoaded(() => findProduct(handle))
  if (!loaded) return <div class="page" aria-busy="true" />
  if ("error" in loaded) return <DidNotLoad error={loaded.error} again={again} />
  if (!loaded.value) return <NotFoundPage />
  return <Detail product={loaded.value} />
}

/** By option id. */
type Choice = Record<string, string>

const choiceOf = (variant?: Variant): Choice =>
  Object.fromEntries(variant?.options?.map(({ option_id, value }) => [option_id, value]) ?? [])

/** What opens first: the cheapest that can be bought, so that no choice raises the price unasked. */
function firstVariant({ variants }: Product): Variant | undefined {
  const price = ({ calculated_price }: Variant) => calculated_price?.calculated_amount ?? 0
  const buyable = variants.filter((variant) => stockOf(variant).buyable)
  return (buyable.length > 0 ? buyable : variants).toSorted((a, b) => price(a) - price(b))[0]
}

function variantFor({ variants }: Product, choice: Choice): Variant | undefined {
  return variants.find((variant) =>
    variant.options?.every(({ option_id, value }) => choice[option_id] === value),
  )
}

function Detail({ product }: { product: Product }) {
  useTitle(product.title)
  const [choice, setChoice] = useState(() => choiceOf(firstVariant(product)))
  const [picture, setPicture] = useState(() => firstVariant(product)?.thumbnail)
  const variant = variantFor(product, choice)
  const price = priceOf(variant ? [variant] : product.variants)
  const state = variant
    ? stockOf(variant)
    : { buyable: false, tone: "line", words: "Not made in this combination" }

  const choose = (optionId: string, value: string) => {
    const next = { ...choice, [optionId]: value }
    setChoice(next)
    setPicture(variantFor(product, next)?.thumbnail ?? picture)
  }

  return (
    <article class="page product">
      <Gallery product={product} shown={picture} show={setPicture} />
      <div class="product-words stack gap-16">
        <a class="small soft" href="/">
          Everything
        </a>
        <div class="stack gap-4">
          <h1 class="title">{product.title}</h1>
          {product.subtitle && <p class="soft">{product.subtitle}</p>}
        </div>
        <Buying product={product} variant={variant} state={state}>
          {price && (
            <div class="row between">
              <div>
                <Price price={price} large />
                <p class="soft small">
                  {price.taxIncluded ? "VAT included" : "VAT is added at checkout"}
                </p>
              </div>
              <SaleBadge price={price} />
            </div>
          )}
          <Pickers product={product} choice={choice} choose={choose} />
          <p class="stock row small" role="status">
            <span class="dot" style={{ background: `var(--${state.tone})` }} />
            {state.words}
          </p>
        </Buying>
        {product.description && <p class="description">{product.description}</p>}
        <p class="soft small">
          {[product.material, "sent within two days", "thirty days to return"]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
    </article>
  )
}

type BuyingProps = {
  product: Product
  variant: Variant | undefined
  state: ReturnType<typeof stockOf>
  children: ComponentChildren
}

/**
 * The one way to buy it. While a show sells it for less that is the show: the store gives that price
 * to what comes from the player, so a button of the page beside it would charge more. With tax and without, nobody knows
 * which of the two is less: there both are offered.
 */
function Buying({ product, variant, state, children }: BuyingProps) {
  const live = inShow(useValue(shows), product)
  const offer = live && showPrice(live, variant?.id)
  const usual = variant?.calculated_price
  const isComparable = !usual || offer?.withTax === usual.is_calculated_price_tax_inclusive
  const isLess = offer && offer.amount < (usual?.calculated_amount ?? Number.POSITIVE_INFINITY)
  return live && offer && (isLess || !isComparable) && state.buyable ? (
    <>
      {children}
      <div class="offer tone stack gap-12" data-tone="red">
        <p class="row">
          <span class="badge live">Live now</span>
          <span class="ink strong">{live.show.name}</span>
        </p>
        <button
          type="button"
          class="button primary"
          data-testid="buy-in-show"
          onClick={() => openShow(product, variant)}
        >
          <Icon name="play" />
          {`Buy in the show for ${money(offer.amount, offer.currency)}`}
        </button>
        {!isComparable && (
          <p class="soft small">{offer.withTax ? "VAT included" : "VAT is added at checkout"}</p>
        )}
      </div>
      {!isComparable && <AddToBasket product={product} variant={variant} state={state} />}
    </>
  ) : (
    <>
      {children}
      <AddToBasket product={product} variant={variant} state={state} />
    </>
  )
}

function openShow({ id }: Product, variant: Variant | undefined): void {
  if (!openPlayer({ product_id: id, variant_id: variant?.id })) {
    showNotice("The show could not be opened. Please try again in a moment.")
  }
}

function AddToBasket({ product, variant, state }: Omit<BuyingProps, "children">) {
  const [quantity, setQuantity] = useState(1)
  const [adding, setAdding] = useState(false)
  const [trouble, setTrouble] = useState("")
  const put = async () => {
    if (!variant || adding) return
    setTrouble("")
    setAdding(true)
    try {
      await add(variant.id, quantity)
      announce(`${product.title} is in your basket`)
      openBasket()
    } catch (error) {
      setTrouble(messageOf(error))
    }
    setAdding(false)
  }
  return (
    <>
      <div class="buy row nowrap">
        <Stepper name="Quantity" value={quantity} onChange={setQuantity} />
        <button
          type="button"
          class="button primary grow"
          data-testid="add-to-cart"
          disabled={!state.buyable}
          aria-disabled={adding}
          onClick={put}
        >
          {adding ? "Adding…" : state.buyable ? "Add to basket" : state.words}
        </button>
      </div>
      {trouble && <Problem text={trouble} />}
    </>
  )
}

type PickersProps = {
  product: Product
  choice: Choice
  choose: (optionId: string, value: string) => void
}

function Pickers({ product, choice, choose }: PickersProps) {
  // A default variant has one option with one value: nothing to choose.
  const options = (product.options ?? []).filter(({ values }) => (values?.length ?? 0) > 1)
  return options.map(({ id, title, values = [] }) => (
    <fieldset key={id} class="picker">
      <legend class="small strong">
        {title} <span class="soft">{choice[id]}</span>
      </legend>
      <div class="row">
        {inOrder(product, id, values).map((value) => {
          const other = variantFor(product, { ...choice, [id]: value })
          const available = other !== undefined && stockOf(other).buyable
          return (
            <label key={value} class={available ? "choice" : "choice gone"}>
              <input
                type="radio"
                name={id}
                value={value}
                checked={choice[id] === value}
                onChange={() => choose(id, value)}
              />
              <span>{value}</span>
              {!available && <span class="unseen">{other ? " (sold out)" : " (not made)"}</span>}
            </label>
          )
        })}
      </div>
    </fieldset>
  ))
}

/** Values in the order of the variants, as the merchant arranged them: the store answers values in none. */
function inOrder({ variants }: Product, optionId: string, values: { value: string }[]): string[] {
  const ranked = variants.toSorted((a, b) => (a.variant_rank ?? 0) - (b.variant_rank ?? 0))
  const arranged = ranked.map((variant) => choiceOf(variant)[optionId])
  const rank = (value: string) => arranged.indexOf(value) + 1 || Number.POSITIVE_INFINITY
  return values.map(({ value }) => value).sort((a, b) => rank(a) - rank(b))
}

type GalleryProps = {
  product: Product
  shown: string | null | undefined
  show: (url: string) => void
}

function Gallery({ product, shown, show }: GalleryProps) {
  const all = [product.thumbnail, ...(product.images ?? []).map(({ url }) => url)]
  const urls = [...new Set(all)].filter((url) => url !== null)
  const stage = shown ?? urls[0]
  return (
    <div class="stack">
      <div class="stage">
        <Picture key={stage} url={stage} alt={product.title} eager />
      </div>
      {urls.length > 1 && (
        <div class="thumbs row">
          {urls.map((url, at) => (
            <button
              key={url}
              type="button"
              aria-label={`Picture ${at + 1}`}
              aria-pressed={url === stage}
              onClick={() => show(url)}
            >
              <Picture url={url} />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
