/** A product in a show: its price, whether it is to be had, and in what quantities. */

import { useState } from "preact/hooks"
import type { EventProductView, EventView } from "../../../../control-api/views"
import { money, savedPercent } from "../../shared/money"
import { Picture } from "../../shared/picture"
import { useAction, useDashboard } from "../dashboard"
import { plural } from "../format"
import {
  Field,
  FormDialog,
  IconButton,
  Input,
  PriceInput,
  SubmitButton,
  Switch,
  textOf,
} from "../parts"
import { svc } from "../service"

type Props = { event: EventView; product: EventProductView }
type ProductData = EventProductView["data"]

export function EventProduct({ event, product }: Props) {
  const { page } = useDashboard()
  const [editing, setEditing] = useState(false)
  const { uid, external_id, catalog_price, data } = product
  const { name, available } = data
  return (
    <li class="event-product" data-testid="event-product" data-external-id={external_id}>
      <Picture url={data.image?.url ?? data.images?.[0]?.url} sign="box" />
      <div class="stack gap-0">
        <strong class="wrap">{name}</strong>
        <span class="soft">{detailsOf(data)}</span>
      </div>
      {/* What the store pushed is in the page's currency, whatever the show's. */}
      <div class="catalog-price stack gap-0 numeric">
        {catalog_price !== null && (
          <>
            <span class="soft">Catalog</span>
            <s>{money(catalog_price, page.currency)}</s>
          </>
        )}
      </div>
      <PriceForm event={event} product={product} />
      <Switch
        name={`${name} is available`}
        title="May be bought"
        on={available}
        turn={() => svc.events.updateProduct(event.id, uid, { available: !available })}
      >
        {available ? "On sale" : "Sold out"}
      </Switch>
      <div class="row nowrap gap-0">
        <IconButton
          label={`Quantities and variants of ${name}`}
          sign="sliders"
          testid="edit-product"
          run={() => setEditing(true)}
        />
        <IconButton
          label={`Remove ${name}`}
          sign="trash"
          testid="remove-product"
          run={() => svc.events.removeProduct(event.id, uid)}
          done={`${name} is out of the show`}
        />
      </div>
      {editing && <ProductDialog event={event} product={product} close={() => setEditing(false)} />}
    </li>
  )
}

function detailsOf({ sku, variants = [], minPurchaseQty, maxQtyPerCustomer }: ProductData) {
  return [
    sku,
    variants.length > 0 && plural(variants.length, "variant"),
    minPurchaseQty && `from ${minPurchaseQty}`,
    maxQtyPerCustomer && `at most ${maxQtyPerCustomer}`,
  ]
    .filter(Boolean)
    .join(" · ")
}

/** The show's price, changed while the show runs. */
function PriceForm({ event, product }: Props) {
  const { page } = useDashboard()
  const { busy, run } = useAction()
  const { uid, catalog_price, currency, data } = product
  const comparable = catalog_price !== null && currency === page.currency
  const saved = comparable ? savedPercent(data.price, catalog_price) : 0

  function save(values: FormData): void {
    const price = Number(textOf(values, "price"))
    const changes = { price, variants: movedVariants(data, price) }
    run(
      () => svc.events.updateProduct(event.id, uid, changes),
      `${data.name}: ${money(price, currency)}`,
    )
  }

  return (
    <form
      class="price-form row nowrap"
      style={{ alignItems: "end" }}
      onSubmit={(submitted) => {
        submitted.preventDefault()
        save(new FormData(submitted.currentTarget))
      }}
    >
      {/* biome-ignore lint/a11y/noLabelWithoutControl: `PriceInput` is the control */}
      <label>
        <span class="soft">Show price{saved > 0 && <b class="saved"> −{saved} %</b>}</span>
        <PriceInput currency={currency} value={data.price} testid="price-input" />
      </label>
      <SubmitButton label="Set" busy={busy} testid="price-save" />
    </form>
  )
}

/** Variants with a price of their own keep their distance to the product's. */
function movedVariants(data: ProductData, price: number) {
  const moved = (data.variants ?? []).flatMap((variant) =>
    variant.price === undefined
      ? []
      : {
          external_id: variant.externalId,
          price: Math.max(0, Math.round((variant.price + price - data.price) * 100) / 100),
        },
  )
  return moved.length > 0 ? moved : undefined
}

/** The finer points of a product in the show (interface §2.7). */
function ProductDialog({ event, product, close }: Props & { close: () => void }) {
  const { uid, currency, data } = product
  const variants = data.variants ?? []
  const orNull = (values: FormData, name: string) => {
    const text = textOf(values, name)
    return text === "" ? null : Number(text)
  }
  return (
    <FormDialog
      title={data.name}
      submitLabel="Save"
      done="Saved"
      close={close}
      submit={(values) =>
        svc.events.updateProduct(event.id, uid, {
          suggested_retail_price: Number(textOf(values, "retail")),
          min_purchase_qty: orNull(values, "min"),
          max_qty_per_customer: orNull(values, "max"),
          default_quantity_to_add: orNull(values, "standard"),
          variants: variants.map(({ externalId }) => ({
            external_id: externalId,
            price: orNull(values, `variant ${externalId}`),
          })),
        })
      }
    >
      <Field label={`Retail price, ${currency}`} hint="What the player strikes through">
        <Amount name="retail" value={data.suggestedRetailPrice} required />
      </Field>
      <div class="columns" style={{ "--column": "96px" }}>
        <Field label="Sold from">
          <Quantity name="min" value={data.minPurchaseQty} />
        </Field>
        <Field label="At most">
          <Quantity name="max" value={data.maxQtyPerCustomer} />
        </Field>
        <Field label="Adds at once">
          <Quantity name="standard" value={data.defaultQuantityToAdd} />
        </Field>
      </div>
      {variants.length > 0 && (
        <fieldset class="stack">
          <legend class="strong">Prices of variants, {currency}</legend>
          <small>Empty: the product's {money(data.price, currency)}</small>
          {variants.map(({ externalId, sku, variantNames, price }) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: `Amount` is the control
            <label key={externalId} class="row nowrap between gap-16">
              <span>{variantNames.join(" / ") || sku}</span>
              <Amount
                name={`variant ${externalId}`}
                class="numeric"
                value={price}
                placeholder={String(data.price)}
              />
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}

type NumberProps = {
  name: string
  value: number | undefined
  class?: string
  required?: boolean
  placeholder?: string
}

const Amount = (props: NumberProps) => (
  <Input {...props} type="number" min={0} step="0.01" data-testid={props.name} />
)
const Quantity = (props: NumberProps) => (
  <Input {...props} type="number" min={1} step={1} data-testid={props.name} />
)
