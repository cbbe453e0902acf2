/** One show, run by hand. */

import type { EventProductView, EventView } from "../../../../control-api/views"
import type { Order } from "../../../../store/tables"
import { Icon, type IconName } from "../../shared/icon"
import { section } from "../dashboard"
import { dayAndTime } from "../format"
import {
  Ago,
  Button,
  Card,
  Copyable,
  confirmed,
  Empty,
  Fact,
  Facts,
  Head,
  State,
  Switch,
} from "../parts"
import { go } from "../router"
import { svc } from "../service"
import { AddProduct } from "./add-product"
import { CheckoutLinks, storefrontOf } from "./checkout-links"
import { EventProduct } from "./event-product"
import { EditShow } from "./plan-show"

/** The chain of interface §3.1. */
const CHAIN = ["planned", "live", "processing", "vod"]

type Next = { verb: "start" | "end" | "complete"; label: string; sign: IconName; done: string }

/** What may be done next, by status. */
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

type Data = { event: EventView; products: EventProductView[]; orders: Order[] }

export const show = section(
  async ({ id }): Promise<Data> => {
    const { event, products } = await svc.events.get(id)
    const { orders } = await svc.orders.list({ campaign_uid: event.campaign_uid })
    return { event, products, orders }
  },

  function Show({ data: { event, products, orders } }) {
    const { eventName, description, coverPhotoPath } = event.data.event
    const exists = event.deleted_at === null
    return (
      <>
        <Head title={eventName} text={description} back={["shows", "Shows"]}>
          {exists ? <Actions event={event} /> : <State state="deleted" />}
        </Head>
        <div class="columns gap-24">
          <img class="cover" src={coverPhotoPath} alt="" />
          <div class="stack gap-24">
            {event.kind === "live" ? <Chain event={event} /> : <State state={event.status} />}
            <ShowFacts event={event} products={products} />
          </div>
        </div>
        <Card
          title="Products in the show"
          action={exists && <AddProduct event={event} inShow={products} />}
        >
          {products.length === 0 ? (
            <Empty
              sign="tag"
              title="No product yet"
              text="Add one from the catalog the store pushed. Its price here is the show's price."
            />
          ) : (
            <ul class="divided">
              {products.map((product) => (
                <EventProduct key={product.uid} event={event} product={product} />
              ))}
            </ul>
          )}
        </Card>
        <div class="columns wide-first">
          <CheckoutLinks event={event} products={products} />
          <Sales orders={orders} />
        </div>
      </>
    )
  },
)

function Actions({ event }: { event: EventView }) {
  const { id, kind, status } = event
  const { eventName } = event.data.event
  const next = kind === "live" ? NEXT[status] : undefined
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
      {status === "vod" && (
        <Button
          label="Make it a clip"
          sign="film"
          testid="show-move"
          title="The replay becomes a shoppable, and its topics follow"
          run={() => svc.events.move(id, { kind: "shoppable" })}
          done="The replay is a shoppable clip now"
        />
      )}
      <EditShow event={event} />
      {(status === "planned" || status === "live") && (
        <Button
          label="Cancel it"
          tone="quiet"
          testid="show-cancel"
          run={confirmed(`Cancel “${eventName}”? Its prices end at once.`, () =>
            svc.events.cancel(id),
          )}
          done="The show is cancelled"
        />
      )}
      <Button
        label="Delete"
        tone="quiet"
        testid="show-delete"
        run={confirmed(`Delete “${eventName}” and its products?`, async () => {
          await svc.events.remove(id)
          go(["shows"])
        })}
      />
    </>
  )
}

function Chain({ event: { status } }: { event: EventView }) {
  const at = CHAIN.indexOf(status)
  if (at < 0) return <State state={status} />
  return (
    <ol class="chain row" aria-label="Status">
      {CHAIN.map((name, i) => (
        <li
          key={name}
          class="row small soft"
          data-past={i < at || undefined}
          aria-current={i === at ? "step" : undefined}
        >
          {i < at && <Icon name="check" />}
          {i === at ? <State state={name} /> : name}
        </li>
      ))}
    </ol>
  )
}

function ShowFacts({ event, products }: { event: EventView; products: EventProductView[] }) {
  const { eventStartTimestamp, liveStartTime, liveEndTime, isPublished } = event.data.event
  const { page_uid, campaign_uid, currency, vat, deadline } = event
  const player = `/player?${new URLSearchParams({ page_uid, campaign_uid })}`
  return (
    <Facts>
      <Fact name="Campaign">
        <Copyable text={campaign_uid} />
      </Fact>
      <Fact name="Planned for">{eventStartTimestamp > 0 && dayAndTime(eventStartTimestamp)}</Fact>
      <Fact name="On air">{liveStartTime > 0 && <Ago ms={liveStartTime} />}</Fact>
      <Fact name="Ended">{liveEndTime > 0 && <Ago ms={liveEndTime} />}</Fact>
      <Fact name="Prices end">{deadline ? dayAndTime(deadline) : "never"}</Fact>
      <Fact name="Money">
        {vat && `${currency}, VAT ${vat.rate} % ${vat.included ? "included" : "on top"}`}
      </Fact>
      <Fact name="Published">
        <Switch
          name="Storefronts may show it"
          on={isPublished}
          turn={() => svc.events.update(event.id, { is_published: !isPublished })}
        >
          {isPublished ? "Storefronts may show it" : "Only here"}
        </Switch>
      </Fact>
      <Fact name="Watch">
        <span class="row gap-16">
          <a href={player} target="_blank" rel="noreferrer" data-testid="open-player">
            In the player
          </a>
          <a href={storefrontOf(products)} target="_blank" rel="noreferrer">
            On the storefront
          </a>
        </span>
      </Fact>
    </Facts>
  )
}

function Sales({ orders }: { orders: Order[] }) {
  const conversions = orders.filter(({ converted_at }) => converted_at !== null).length
  return (
    <Card title="From basket to order">
      <div class="small-figures columns" style={{ "--column": "96px" }}>
        <div class="well stack gap-0">
          <strong class="numeric">{orders.length}</strong>
          <span class="soft numeric">baskets</span>
        </div>
        <div class="well stack gap-0">
          <strong class="numeric" data-testid="show-conversions">
            {conversions}
          </strong>
          <span class="soft numeric">conversions</span>
        </div>
      </div>
      {orders.length === 0 && (
        <p class="soft">
          A basket gets its order number when the first product goes in from the player.
        </p>
      )}
      <ul class="rows">
        {orders.slice(0, 6).map(({ order_no, converted_at, issued_at }) => (
          <li key={order_no}>
            <code>{order_no}</code>
            {converted_at ? (
              <State state="converted" />
            ) : (
              <span class="soft">
                issued <Ago ms={issued_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
