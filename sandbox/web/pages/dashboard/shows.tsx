/** All shows of the page, how to plan one, and what a store needs to know to connect. */

import type { EventView } from "../../../control-api/views"
import type { Page } from "../../../store/tables"
import { Icon } from "../shared/icon"
import { Card, Copyable, Empty, Facts, Field, Form, Head, State, textOf } from "./parts"
import { href, svc, timeOf, useLoaded } from "./shared"

export function Shows({ page }: { page: Page }) {
  const page_uid = page.uid
  const { data } = useLoaded(async () => {
    const [products, { events }, { subscribers }, { orders }] = await Promise.all([
      svc.products.list({ page_uid, limit: 1 }),
      svc.events.list({ page_uid }),
      svc.subscribers.list({ page_uid }),
      svc.orders.list({ page_uid }),
    ])
    return { products: products.count, events, subscribers: subscribers.length, orders }
  }, page_uid)
  if (!data) return null
  const { events, orders } = data
  const next = nextStep(data)
  return (
    <>
      <Head
        title="Shows"
        text={`${data.products} products received · ${orders.length} baskets · ${orders.filter(({ converted_at }) => converted_at).length} conversions`}
      />
      {next && (
        <p class="note tone" data-tone="violet" data-testid="next">
          <Icon name="right" />
          <span>
            <strong>Next: </strong>
            {next}
          </span>
        </p>
      )}
      <PlanShow page={page} />
      {events.length === 0 ? (
        <Empty title="No show yet">
          Plan one, give it products that the store pushed, and go live.
        </Empty>
      ) : (
        <ul class="shows">
          {events.map((event) => (
            <li key={event.id}>
              <ShowCard event={event} />
            </li>
          ))}
        </ul>
      )}
      <Connect page={page} />
    </>
  )
}

type Progress = {
  products: number
  events: EventView[]
  subscribers: number
  orders: { converted_at: number | null }[]
}

/** What a first show needs next; null once an order was reported. */
function nextStep({ products, events, subscribers, orders }: Progress): string | null {
  if (products === 0)
    return "push the catalog. Add a connection in the store's admin, with what stands below."
  if (subscribers === 0) return "register the webhook, from the store's connection."
  if (!events.some((event) => event.products > 0)) return "plan a show and give it products."
  if (events.every(({ status }) => status === "planned")) return "go live."
  if (orders.length === 0) return "put something into a basket from the player."
  if (!orders.some(({ converted_at }) => converted_at))
    return "place the order; the store reports it."
  return null
}

function ShowCard({ event }: { event: EventView }) {
  const { eventName, coverPhotoPath, eventStartTimestamp } = event.data.event
  return (
    <a class="part stack gap-12" href={href("shows", event.id)}>
      <img class="cover" src={coverPhotoPath} alt="" loading="lazy" />
      <span class="stack gap-4">
        <State state={event.status} />
        <strong class="text-16 wrap">{eventName}</strong>
        <span class="soft">
          {timeOf(eventStartTimestamp)} · {event.products} products
        </span>
      </span>
    </a>
  )
}

/** @returns undefined where the field was left empty */
const moment = (values: FormData, name: string) => {
  const text = textOf(values, name)
  return text ? new Date(text).toISOString() : undefined
}

function PlanShow({ page }: { page: Page }) {
  async function plan(values: FormData): Promise<void> {
    const event = await svc.events.create({
      page_uid: page.uid,
      kind: textOf(values, "kind") === "shoppable" ? "shoppable" : "live",
      name: textOf(values, "name"),
      starts_at: moment(values, "starts_at"),
      deadline: moment(values, "deadline"),
      currency: textOf(values, "currency"),
    })
    location.hash = href("shows", event.id)
  }
  return (
    <details class="card">
      <summary class="row strong" data-testid="plan-show">
        <Icon name="plus" />
        Plan a show
      </summary>
      <Form submitLabel="Plan it" submit={plan}>
        <div class="columns gap-16">
          <Field label="Name">
            <input name="name" required maxLength={120} placeholder="Autumn at the studio" />
          </Field>
          <Field label="Kind">
            <select name="kind">
              <option value="live">Live show</option>
              <option value="shoppable">Shoppable clip</option>
            </select>
          </Field>
          <Field label="Currency">
            <input name="currency" defaultValue={page.currency} pattern="[A-Za-z]{3}" required />
          </Field>
          <Field label="Starts (empty: now)">
            <input name="starts_at" type="datetime-local" />
          </Field>
          <Field label="Prices end (empty: never)">
            <input name="deadline" type="datetime-local" />
          </Field>
        </div>
      </Form>
    </details>
  )
}

function Connect({ page }: { page: Page }) {
  const script = `<script src="${location.origin}/player.js" data-page-uid="${page.uid}" async></script>`
  const { included, rate } = page.vat
  return (
    <Card title="Connect a store">
      <Facts
        facts={{
          Address: <Copyable text={location.origin} label="Copy the address" />,
          Page: <Copyable text={page.uid} label="Copy the page" />,
          "API token": <Copyable text={page.api_token} label="Copy the token" />,
          "Player script": <Copyable text={script} label="Copy the script tag" />,
          Money: `${page.currency}, prices ${included ? "include" : "exclude"} ${rate} % VAT`,
        }}
      />
    </Card>
  )
}
