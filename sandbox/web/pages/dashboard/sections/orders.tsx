/** Order numbers issued to baskets, and which of them became orders. */

import type { EventView } from "../../../../control-api/views"
import type { Order } from "../../../../store/tables"
import { section, useDashboard } from "../dashboard"
import { dayAndTime, percent } from "../format"
import { Ago, Empty, Figure, Head, Numeric, Segments, State, Table } from "../parts"
import { go, href } from "../router"
import { svc } from "../service"

export const orders = section(
  async ({ page: { uid: page_uid } }) => {
    const [{ orders }, { events }] = await Promise.all([
      svc.orders.list({ page_uid }),
      svc.events.list({ page_uid, deleted: "true" }),
    ])
    return { orders, events }
  },

  function Orders({ data: { orders: all, events } }) {
    const { query } = useDashboard()
    const converted = all.filter(({ converted_at }) => converted_at !== null)
    const repeated = all.filter(({ reports }) => reports > 1).length
    const shown = query.state === "converted" ? converted : all
    return (
      <>
        <Head
          title="Orders"
          text="A basket gets its number from the player; the store reports it when the order is placed."
        />
        <div class="figures">
          <Figure
            label="Conversions"
            value={converted.length}
            note="orders reported"
            testid="conversions"
          />
          <Figure label="Issued" value={all.length} note="order numbers" testid="issued" />
          <Figure
            label="Conversion rate"
            value={percent(converted.length, all.length)}
            note="of the baskets"
          />
          <Figure
            label="Reported twice"
            value={repeated}
            note={repeated ? "counted once each" : "none"}
          />
        </div>
        {all.length === 0 ? (
          <Empty
            sign="receipt"
            title="No order number yet"
            text="Open a live show as a shopper and add a product: the basket gets its number then."
          >
            <a class="button primary" href={href(["shows"])}>
              To the shows
            </a>
          </Empty>
        ) : (
          <>
            <Segments
              label="Which orders"
              choices={[
                ["", "All"],
                ["converted", "Converted"],
              ]}
              current={query.state}
              choose={(state) => go(["orders"], { state })}
            />
            <Table
              columns={["Order number", "Show", "Issued", "State", "Reports"]}
              numeric={["Reports"]}
            >
              {shown.map((order) => (
                <OrderRow key={order.order_no} order={order} events={events} />
              ))}
            </Table>
          </>
        )}
      </>
    )
  },
)

function OrderRow({ order, events }: { order: Order; events: EventView[] }) {
  const { order_no, campaign_uid, issued_at, converted_at, reports } = order
  const event = events.find((one) => one.campaign_uid === campaign_uid)
  return (
    <tr data-testid="order" data-order-no={order_no}>
      <td>
        <code>{order_no}</code>
      </td>
      <td>
        {event ? (
          <a href={href(["shows", event.id])}>{event.data.event.eventName}</a>
        ) : (
          <code>{campaign_uid}</code>
        )}
      </td>
      <td>
        <Ago ms={issued_at} />
      </td>
      <td>
        {converted_at ? (
          <State state="converted" word={`converted ${dayAndTime(converted_at)}`} />
        ) : (
          <State state="open" word="basket" />
        )}
      </td>
      <Numeric label="Reports">{reports}</Numeric>
    </tr>
  )
}
