/** One show, run by hand: on air and off, its products, their prices and whether they may be bought. */

import { useState } from "preact/hooks"
import type { EventProductView, EventView } from "../../../control-api/views"
import type { Page } from "../../../store/tables"
import { checkoutLink } from "../shared/checkout-link"
import { Icon, type IconName } from "../shared/icon"
import { money, savedPercent } from "../shared/money"
import { Picture } from "../shared/picture"
import { Button, Card, Copyable, Empty, Facts, Form, Head, State, textOf } from "./parts"
import { attempt, href, sentenceOf, svc, timeOf, useLoaded } from "./shared"

export function Show({ id, page }: { id: string; page: Page }) {
  const { data, error } = useLoaded(() => svc.events.get(id), id)
  if (error) {
    return (
      <Empty title="This show is no longer here">
        {sentenceOf(error)} <a href={href("shows")}>All shows</a>
      </Empty>
    )
  }
  if (!data) return null
  const { event, products } = data
  const { eventName, coverPhotoPath } = event.data.event
  return (
    <>
      <Head title={eventName} text={<a href={href("shows")}>All shows</a>}>
        <Actions event={event} />
      </Head>
      <div class="columns gap-24">
        <img class="cover" src={coverPhotoPath} alt="" />
        <ShowFacts event={event} products={products} />
      </div>
      <Card title="Products in the show">
        {products.length === 0 && (
          <p class="soft">None yet. What the store pushed can be added below.</p>
        )}
        <ul class="divided">
          {products.map((product) => (
            <EventProduct key={product.uid} event={event} product={product} page={page} />
          ))}
        </ul>
      </Card>
      <AddProduct event={event} inShow={products} page={page} />
    </>
  )
}

type Next = { verb: "start" | "end" | "complete"; label: string; sign: IconName; done: string }

/** What may be done next, by status (interface §3.1). */
const NEXT: Record<string, Next> = {
  planned: { verb: "start", label: "Go live", sign: "broadcast", done: "The show is live" },
  live: { verb: "end", label: "End the show", sign: "stop", done: "The show has ended" },
  processing: {
    verb: "complete",
    label: "Complete the replay",
    sign: "film",
    done: "The replay is there",
  },
}

function Actions({ event: { id, status, data, deleted_at } }: { event: EventView }) {
  const next = NEXT[status]
  if (deleted_at !== null) return <State state="deleted" />
  return (
    <>
      {next && (
        <Button
          key={next.verb}
          label={next.label}
          sign={next.sign}
          tone="primary"
          testid={`show-${next.verb}`}
          run={() => svc.events[next.verb](id)}
          done={next.done}
        />
      )}
      {(status === "planned" || status === "live") && (
        <Button
          label="Cancel it"
          tone="quiet"
          testid="show-cancel"
          run={async () => {
            if (confirm(`Cancel “${data.event.eventName}”? Its prices end at once.`))
              await svc.events.cancel(id)
          }}
        />
      )}
    </>
  )
}

function ShowFacts({ event, products }: { event: EventView; products: EventProductView[] }) {
  const { eventStartTimestamp, liveStartTime, liveEndTime, isPublished } = event.data.event
  const { page_uid, campaign_uid, currency, vat, deadline } = event
  const shop = products.find(({ data }) => URL.canParse(data.url))?.data.url
  const linked = products.map(({ data }) => {
    const variantId = data.variants?.[0]?.externalId
    return { productId: data.externalId, ...(variantId && { variantId }), quantity: 1 }
  })
  return (
    <Facts
      facts={{
        State: <State state={event.status} />,
        Campaign: <Copyable text={campaign_uid} label="Copy the campaign" />,
        "Planned for": timeOf(eventStartTimestamp),
        "On air": liveStartTime > 0 && timeOf(liveStartTime),
        Ended: liveEndTime > 0 && timeOf(liveEndTime),
        "Prices end": deadline ? timeOf(deadline) : "never",
        Money: vat && `${currency}, VAT ${vat.rate} % ${vat.included ? "included" : "on top"}`,
        Published: isPublished ? "Storefronts may show it" : "Only here",
        Watch: (
          <a
            href={`/player?${new URLSearchParams({ page_uid, campaign_uid })}`}
            target="_blank"
            rel="noreferrer"
          >
            In the player
          </a>
        ),
        "Checkout link": shop && (
          <Copyable
            text={checkoutLink(new URL(shop).origin, {
              campaignUid: campaign_uid,
              products: linked,
            })}
            label="Copy the social checkout link"
          />
        ),
      }}
    />
  )
}

type Props = { event: EventView; product: EventProductView; page: Page }

function EventProduct({ event, product, page }: Props) {
  const { uid, external_id, catalog_price: catalog, currency, data } = product
  const { name, available, price } = data
  const change = (changes: Parameters<typeof svc.events.updateProduct>[2]) =>
    svc.events.updateProduct(event.id, uid, changes)
  // What the store pushed is in the page's currency, whatever the show's.
  const saved = catalog !== null && currency === page.currency ? savedPercent(price, catalog) : 0
  return (
    <li class="event-product" data-testid="event-product" data-external-id={external_id}>
      <Picture url={data.image?.url} sign="box" />
      <div class="stack gap-0">
        <strong class="wrap">{name}</strong>
        <span class="soft wrap">
          {data.sku}
          {catalog !== null && ` · catalog ${money(catalog, page.currency)}`}
          {saved > 0 && ` · −${saved} %`}
        </span>
      </div>
      <Form
        class="row nowrap"
        submitLabel="Set"
        testid="price-save"
        done={`${name} has a new price`}
        submit={(values) => {
          const asked = Number(textOf(values, "price"))
          return change({ price: asked, variants: movedVariants(data, asked) })
        }}
      >
        <PriceInput price={price} currency={currency} label={`Show price of ${name}`} />
      </Form>
      <label class="row nowrap">
        <input
          type="checkbox"
          role="switch"
          checked={available}
          aria-checked={available}
          aria-label={`${name} is available`}
          onChange={() => attempt(() => change({ available: !available }))}
        />
        {available ? "On sale" : "Sold out"}
      </label>
      <Button
        label="Remove"
        tone="quiet"
        testid="remove-product"
        run={() => svc.events.removeProduct(event.id, uid)}
      />
    </li>
  )
}

/** A new price from the sandbox takes its place; what a person types meanwhile stays. */
function PriceInput(props: { price: number | undefined; currency: string; label: string }) {
  const { price, currency, label } = props
  return (
    <span class="price-input">
      <input
        key={price}
        name="price"
        type="number"
        min={0}
        step="0.01"
        required
        defaultValue={price === undefined ? "" : String(price)}
        aria-label={label}
        data-testid="price-input"
      />
      <small>{currency}</small>
    </span>
  )
}

/** Variants with a price of their own keep their distance to the product's. */
function movedVariants({ variants = [], price: before }: EventProductView["data"], price: number) {
  return variants.flatMap((variant) =>
    variant.price === undefined
      ? []
      : {
          external_id: variant.externalId,
          price: Math.max(0, Math.round((variant.price + price - before) * 100) / 100),
        },
  )
}

/** A show sells below the catalog: the price that is offered first. */
const OFFER = 0.8

type AddProps = { event: EventView; inShow: EventProductView[]; page: Page }

function AddProduct({ event, inShow, page }: AddProps) {
  const [q, setQ] = useState("")
  const { data } = useLoaded(
    () => svc.products.list({ page_uid: page.uid, q, limit: 12 }),
    `${page.uid} ${q}`,
  )
  const products = (data?.products ?? []).map(({ product }) => ({
    id: String(product.id),
    name: String(product.name),
    price: Number(product.price),
    image: typeof product.image === "string" ? product.image : null,
  }))
  return (
    <Card title="Add a product">
      <input
        type="search"
        placeholder="Search what the store pushed"
        aria-label="Search what the store pushed"
        data-testid="picker-search"
        value={q}
        onInput={({ currentTarget }) => setQ(currentTarget.value)}
      />
      {data?.count === 0 && (
        <p class="soft">
          {q ? `Nothing matches “${q}”.` : "The store has not pushed any product yet."}
        </p>
      )}
      <ul class="divided">
        {products.map(({ id, name, price, image }) => (
          <li key={id} class="event-product" data-testid="picker-product" data-external-id={id}>
            <Picture url={image} sign="box" />
            <div class="stack gap-0">
              <strong class="wrap">{name}</strong>
              <span class="soft">{money(price, page.currency)}</span>
            </div>
            {inShow.some(({ external_id }) => external_id === id) ? (
              <span class="row soft">
                <Icon name="check" />
                In the show
              </span>
            ) : (
              <Form
                class="row nowrap"
                submitLabel="Add"
                testid="picker-add"
                submit={(values) => {
                  const asked = Number(textOf(values, "price"))
                  return svc.events.addProduct(event.id, {
                    external_id: id,
                    price: asked,
                    // The catalog's number means nothing in another currency.
                    ...(event.currency !== page.currency && { suggested_retail_price: asked }),
                  })
                }}
              >
                <PriceInput
                  price={
                    event.currency === page.currency
                      ? Math.max(1, Math.floor(price * OFFER))
                      : undefined
                  }
                  currency={event.currency ?? ""}
                  label={`Show price of ${name}`}
                />
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
