/** Social checkout links of a show: what someone posts beside a clip. */

import { useState } from "preact/hooks"
import type { EventProductView, EventView } from "../../../../control-api/views"
import { checkoutLink } from "../../shared/checkout-link"
import { Button, Card, Field, Input } from "../parts"

const STOREFRONT_KEY = "svc-sandbox:storefront"
const DEMO_STOREFRONT = "http://127.0.0.1:8000"

/** The storefront's address: as last typed here, else where the products of the show say they live. */
export function storefrontOf(products: EventProductView[]): string {
  const url = products.find(({ data }) => URL.canParse(data.url))?.data.url
  return localStorage.getItem(STOREFRONT_KEY) ?? (url ? new URL(url).origin : DEMO_STOREFRONT)
}

type Choice = { key: string; name: string; productId: string; variantId?: string }

/** The product itself where it has no variants, else one choice per variant. */
function choicesOf({ data }: EventProductView): Choice[] {
  const { externalId, name, variants = [] } = data
  if (variants.length === 0) return [{ key: externalId, name, productId: externalId }]
  return variants.map((variant) => ({
    key: `${externalId}|${variant.externalId}`,
    name: `${name}, ${variant.variantNames.join(" / ") || variant.sku}`,
    productId: externalId,
    variantId: variant.externalId,
  }))
}

type Props = { event: EventView; products: EventProductView[] }

export function CheckoutLinks({ event, products }: Props) {
  const choices = products.flatMap(choicesOf)
  const [first] = choices
  const [asked, setAsked] = useState<Record<string, number>>()
  const [shop, setShop] = useState(() => storefrontOf(products))
  const [clearCart, setClearCart] = useState(false)
  if (!first) {
    return (
      <Card title="Social checkout link">
        <p class="soft">
          Give the show a product first: the link puts products straight into a basket.
        </p>
      </Card>
    )
  }
  const quantities = asked ?? { [first.key]: 1 }
  const chosen = choices
    .map(({ key, productId, variantId }) => ({
      productId,
      ...(variantId && { variantId }),
      quantity: quantities[key] ?? 0,
    }))
    .filter(({ quantity }) => quantity > 0)
  const link =
    chosen.length > 0 && URL.canParse(shop)
      ? checkoutLink(shop, { campaignUid: event.campaign_uid, products: chosen, clearCart })
      : null
  return (
    <Card title="Social checkout link">
      <p class="soft">
        Whoever opens it finds these products in the shop's basket, at the show's prices.
      </p>
      <ul class="link-products stack">
        {choices.map(({ key, name }) => (
          <li key={key} class="row nowrap between gap-16">
            <span class="wrap">{name}</span>
            <Input
              type="number"
              class="numeric"
              min={0}
              max={99}
              value={quantities[key] ?? 0}
              aria-label={`Quantity of ${name}`}
              data-testid="link-quantity"
              onInput={({ currentTarget }) =>
                setAsked({ ...quantities, [key]: Math.floor(Number(currentTarget.value)) || 0 })
              }
            />
          </li>
        ))}
      </ul>
      <Field label="Storefront">
        <Input
          type="url"
          value={shop}
          data-testid="link-storefront"
          onInput={({ currentTarget }) => {
            localStorage.setItem(STOREFRONT_KEY, currentTarget.value)
            setShop(currentTarget.value)
          }}
        />
      </Field>
      <label class="row">
        <input
          type="checkbox"
          checked={clearCart}
          onChange={({ currentTarget }) => setClearCart(currentTarget.checked)}
        />
        Empty the basket first
      </label>
      {link ? (
        <>
          <textarea
            class="text-12"
            readOnly
            rows={3}
            aria-label="The link"
            data-testid="link"
            value={link}
          />
          <div class="row">
            <Button
              label="Copy the link"
              sign="copy"
              tone="primary"
              run={() => navigator.clipboard.writeText(link)}
              done="Copied"
            />
            <a class="button plain" href={link} target="_blank" rel="noreferrer">
              Open it
            </a>
          </div>
        </>
      ) : (
        <p class="form-error note tone" data-tone="red">
          {chosen.length === 0
            ? "Choose at least one product."
            : "The storefront needs a whole address, with http:// or https://."}
        </p>
      )}
    </Card>
  )
}
