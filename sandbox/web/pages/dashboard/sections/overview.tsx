/** The first page: what is on, the numbers, and the next step of a first show. */

import type { EventView } from "../../../../control-api/views"
import type { Order } from "../../../../store/tables"
import { Icon } from "../../shared/icon"
import { section, useDashboard } from "../dashboard"
import { dayAndTime, percent, plural } from "../format"
import { Ago, Card, Copyable, Fact, Facts, Figure, Head, State } from "../parts"
import { href } from "../router"
import { svc } from "../service"
import { PlanShow } from "./plan-show"

type Data = {
  products: number
  events: EventView[]
  orders: Order[]
  subscribers: number
  failed: number
  dropped: number
}

export const overview = section(
  async ({ page }): Promise<Data> => {
    const page_uid = page.uid
    const [products, { events }, { orders }, { subscribers }, failed, dropped] = await Promise.all([
      svc.products.list({ page_uid, limit: 1 }),
      svc.events.list({ page_uid }),
      svc.orders.list({ page_uid }),
      svc.subscribers.list({ page_uid }),
      svc.deliveries.list({ page_uid, state: "failed", limit: 1 }),
      svc.deliveries.list({ page_uid, state: "dropped", limit: 1 }),
    ])
    const counts = { products: products.count, failed: failed.count, dropped: dropped.count }
    return { ...counts, events, orders, subscribers: subscribers.length }
  },

  function Overview({ data }) {
    const { page } = useDashboard()
    const { products, events, orders, failed, dropped } = data
    const conversions = orders.filter(({ converted_at }) => converted_at !== null).length
    const steps = firstSteps(data, conversions)
    return (
      <>
        <Head title="Overview" text={`${page.name} · ${page.uid}`}>
          <PlanShow />
        </Head>
        {events
          .filter(({ status }) => status === "live")
          .map((event) => (
            <OnAir key={event.id} event={event} />
          ))}
        <div class="figures">
          <Figure
            label="Products"
            value={products}
            note={products ? "as the store pushed them" : "waiting for the store"}
            to={href(["products"])}
            testid="figure-products"
          />
          <Figure
            label="Baskets"
            value={orders.length}
            note="order numbers issued"
            to={href(["orders"])}
            testid="figure-issued"
          />
          <Figure
            label="Conversions"
            value={conversions}
            note={
              orders.length
                ? `${percent(conversions, orders.length)} of the baskets`
                : "no basket yet"
            }
            to={href(["orders"])}
            testid="figure-conversions"
          />
          <Figure
            label="Failed deliveries"
            value={failed}
            note={
              failed
                ? "every attempt was used up"
                : dropped
                  ? `${dropped} dropped`
                  : "nothing was lost"
            }
            to={href(["deliveries"], { state: "failed" })}
            testid="figure-failed"
          />
        </div>
        {steps.some(({ done }) => !done) && <FirstShow steps={steps} />}
        <div class="columns wide-first">
          <Connection />
          <Planned events={events} />
        </div>
      </>
    )
  },
)

function OnAir({ event }: { event: EventView }) {
  const { eventName, coverPhotoPath, liveStartTime } = event.data.event
  return (
    <a class="part on-air panel row nowrap gap-16" href={href(["shows", event.id])}>
      <img src={coverPhotoPath} alt="" />
      <div class="stack gap-0 grow">
        <State state="live" word="On air" />
        <strong class="text-16 truncate">{eventName}</strong>
        <span class="soft">
          {plural(event.products, "product")} · since <Ago ms={liveStartTime} />
        </span>
      </div>
      <Icon name="right" />
    </a>
  )
}

type Step = { title: string; text: string; done: boolean; to: string }

function firstSteps({ products, events, orders, subscribers }: Data, conversions: number): Step[] {
  return [
    {
      title: "Push the catalog",
      text: "In the store's admin, add a connection with the page, token and address below, and start the import.",
      done: products > 0,
      to: href(["products"]),
    },
    {
      title: "Register the webhook",
      text: "The store does this from its connection; here you see every delivery it gets.",
      done: subscribers > 0,
      to: href(["subscribers"]),
    },
    {
      title: "Plan a show and give it products",
      text: "Pick from what the store pushed and set the show's prices.",
      done: events.some((event) => event.products > 0),
      to: href(["shows"]),
    },
    {
      title: "Go live",
      text: "The player appears on the storefront by itself.",
      done: events.some(({ status }) => status !== "planned"),
      to: href(["shows"]),
    },
    {
      title: "Fill a basket from the player",
      text: "The basket gets an order number, its lines the show's prices.",
      done: orders.length > 0,
      to: "/player",
    },
    {
      title: "Place the order",
      text: "The store reports the order number: the first conversion.",
      done: conversions > 0,
      to: href(["orders"]),
    },
  ]
}

const SIGN = { "--size": "28px" }

function FirstShow({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ done }) => !done)
  return (
    <Card title="Your first show">
      <ol class="steps">
        {steps.map(({ title, text, done, to }, i) => (
          <li
            key={title}
            class="row nowrap gap-12"
            data-done={done || undefined}
            data-next={i === next || undefined}
          >
            <span class="sign tone small text-12 bold" style={SIGN}>
              {done ? <Icon name="check" /> : i + 1}
            </span>
            <div>
              <a class="part strong" href={to}>
                {title}
              </a>
              <p class="soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Connection() {
  const { page } = useDashboard()
  const script = `<script src="${location.origin}/player.js" data-page-uid="${page.uid}" async></script>`
  const { included, rate } = page.vat
  return (
    <Card title="Connect a store">
      <Facts>
        <Fact name="Address">
          <Copyable text={location.origin} label="Copy the address" />
        </Fact>
        <Fact name="Page">
          <Copyable text={page.uid} label="Copy the page" />
        </Fact>
        <Fact name="API token">
          <Copyable text={page.api_token} label="Copy the token" />
        </Fact>
        <Fact name="Player script">
          <Copyable text={script} label="Copy the script tag" />
        </Fact>
        <Fact name="Money">
          {page.currency}, prices {included ? "include" : "exclude"} {rate} % VAT
        </Fact>
      </Facts>
    </Card>
  )
}

const startOf = ({ data }: EventView) => data.event.eventStartTimestamp

function Planned({ events }: { events: EventView[] }) {
  const planned = events
    .filter(({ status }) => status === "planned")
    .sort((a, b) => startOf(a) - startOf(b))
    .slice(0, 5)
  return (
    <Card title="Planned shows">
      {planned.length === 0 && (
        <p class="soft">None. A show that is planned announces itself to the store by webhook.</p>
      )}
      <ul class="rows">
        {planned.map((event) => (
          <li key={event.id}>
            <a href={href(["shows", event.id])}>{event.data.event.eventName}</a>
            <span class="soft">{dayAndTime(startOf(event))}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
