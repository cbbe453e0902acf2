/** Picking a product for the show from what the store pushed. */

import { useState } from "preact/hooks"
import type { EventProductView, EventView, ProductView } from "../../../../control-api/views"
import { Icon } from "../../shared/icon"
import { money } from "../../shared/money"
import { Picture } from "../../shared/picture"
import { useAction, useDashboard } from "../dashboard"
import { Button, Dialog, PriceInput, Search, SubmitButton, textOf } from "../parts"
import { readProduct } from "../pushed-product"
import { href } from "../router"
import { svc } from "../service"

/** A show sells below the catalog: the price that is offered first. */
const OFFER = 0.8

type Props = { event: EventView; inShow: EventProductView[] }

export function AddProduct({ event, inShow }: Props) {
  const { page } = useDashboard()
  const [found, setFound] = useState<ProductView[]>()
  const [searched, setSearched] = useState("")

  async function search(q: string): Promise<void> {
    const { products } = await svc.products.list({ page_uid: page.uid, q, limit: 40 })
    setFound(products)
    setSearched(q)
  }

  return (
    <>
      <Button
        label="Add product"
        sign="plus"
        tone="primary"
        testid="add-product"
        run={() => search("")}
      />
      {found && (
        <Dialog title="Add a product" class="picker" close={() => setFound(undefined)}>
          <Search
            label="Search the received catalog"
            testid="picker-search"
            search={search}
            focused
          />
          {found.length === 0 && (
            <p class="soft center">
              {searched ? (
                `Nothing the store pushed matches “${searched}”.`
              ) : (
                <>
                  The store has not pushed any product yet.{" "}
                  <a href={href([])}>See how to connect it.</a>
                </>
              )}
            </p>
          )}
          <ul>
            {found.map((record) => (
              <Choice
                key={readProduct(record).id}
                event={event}
                record={record}
                already={inShow.some(({ external_id }) => external_id === readProduct(record).id)}
              />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

function Choice(props: { event: EventView; record: ProductView; already: boolean }) {
  const { event, record, already } = props
  const { page } = useDashboard()
  const { busy, run } = useAction()
  const { id, name, sku, price, image } = readProduct(record)
  // The catalog's number means nothing in another currency.
  const comparable = event.currency === page.currency

  function add(values: FormData): void {
    const asked = Number(textOf(values, "price"))
    run(
      () =>
        svc.events.addProduct(event.id, {
          external_id: id,
          price: asked,
          ...(!comparable && { suggested_retail_price: asked }),
        }),
      `${name} is in the show`,
    )
  }

  return (
    <li class="row gap-16" data-testid="picker-product" data-external-id={id}>
      <Picture url={image} sign="box" />
      <div class="stack gap-0 grow">
        <strong class="wrap">{name}</strong>
        <span class="soft">
          {sku} · {money(price, page.currency)}
        </span>
      </div>
      {already ? (
        <span class="row gap-4 soft small">
          <Icon name="check" />
          In the show
        </span>
      ) : (
        <form
          class="row nowrap"
          onSubmit={(submitted) => {
            submitted.preventDefault()
            add(new FormData(submitted.currentTarget))
          }}
        >
          <PriceInput
            currency={event.currency ?? ""}
            value={comparable ? Math.max(1, Math.floor(price * OFFER)) : undefined}
            label={`Show price of ${name}`}
            testid="picker-price"
          />
          <SubmitButton label="Add" busy={busy} tone="primary" testid="picker-add" />
        </form>
      )}
    </li>
  )
}
