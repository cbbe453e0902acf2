/** The request log: every webhook delivery. */

import type { DeliverySummary } from "../../../../control-api/views"
import { section, useDashboard } from "../dashboard"
import { plural } from "../format"
import { Ago, Empty, Head, More, Numeric, Segments, State, Table } from "../parts"
import { go, href, type Query } from "../router"
import { svc } from "../service"

const STEP = 50

const STATES = ["delivered", "pending", "failed", "dropped"] as const

export const deliveries = section(
  async ({ page: { uid: page_uid }, query }) => {
    const [log, { subscribers }] = await Promise.all([
      svc.deliveries.list({
        page_uid,
        state: STATES.find((state) => state === query.state),
        subscriber_uid: query.subscriber,
        topic: query.topic,
        limit: Number(query.show ?? STEP),
      }),
      svc.subscribers.list({ page_uid }),
    ])
    return { ...log, subscribers }
  },

  function Deliveries({ data: { deliveries: log, count, subscribers } }) {
    const { query } = useDashboard()
    const filter = (change: Query) => go(["deliveries"], { ...query, show: undefined, ...change })
    const nameOf = (uid: string) => subscribers.find((one) => one.uid === uid)?.name ?? uid
    return (
      <>
        <Head title="Deliveries" text={count > 0 && plural(count, "delivery", "deliveries")} />
        <div class="row gap-12">
          <Segments
            label="State"
            choices={[
              ["", "All"],
              ["delivered", "Delivered"],
              ["pending", "Pending"],
              ["failed", "Failed"],
              ["dropped", "Dropped"],
            ]}
            current={query.state}
            choose={(state) => filter({ state })}
          />
          {subscribers.length > 1 && (
            <select
              style={{ width: "auto", maxWidth: "100%" }}
              aria-label="Subscriber"
              value={query.subscriber ?? ""}
              onChange={({ currentTarget }) => filter({ subscriber: currentTarget.value })}
            >
              <option value="">All subscribers</option>
              {subscribers.map(({ uid, name }) => (
                <option key={uid} value={uid}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </div>
        {count === 0 ? (
          <Nothing
            filtered={Boolean(query.state || query.topic || query.subscriber)}
            subscribers={subscribers.length}
          />
        ) : (
          <Table
            columns={["Topic", "State", "Answer", "Attempts", "Subscriber", "When"]}
            numeric={["Attempts"]}
          >
            {log.map((delivery) => (
              <tr key={delivery.id} data-testid="delivery" data-topic={delivery.topic}>
                <td>
                  <a class="part strong" href={href(["deliveries", delivery.id])}>
                    <code>{delivery.topic}</code>
                  </a>
                </td>
                <td>
                  <State state={delivery.state} />
                </td>
                <td>
                  <LastAnswer delivery={delivery} />
                </td>
                <Numeric label="Attempts">{delivery.attempts.length}</Numeric>
                <td>{nameOf(delivery.subscriber_uid)}</td>
                <td>
                  <Ago ms={delivery.created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        <More path="deliveries" query={query} shown={log.length} count={count} step={STEP} />
      </>
    )
  },
)

function Nothing({ filtered, subscribers }: { filtered: boolean; subscribers: number }) {
  if (filtered) {
    return (
      <Empty sign="send" title="No such delivery" text="Nothing in the log is like that.">
        <a class="button plain" href={href(["deliveries"])}>
          Show all
        </a>
      </Empty>
    )
  }
  return subscribers === 0 ? (
    <Empty
      sign="webhook"
      title="Nobody to deliver to"
      text="Register a webhook first. From then on every change of a show is delivered and shown here."
    >
      <a class="button primary" href={href(["subscribers"])}>
        To the webhooks
      </a>
    </Empty>
  ) : (
    <Empty
      sign="send"
      title="Nothing was sent yet"
      text="Plan or change a show, or send a test from the subscriber."
    >
      <a class="button primary" href={href(["shows"])}>
        To the shows
      </a>
    </Empty>
  )
}

/** What the receiver said last. */
function LastAnswer({ delivery }: { delivery: DeliverySummary }) {
  const { attempts, next_attempt_at, state } = delivery
  const last = attempts.at(-1)
  if (!last) return <span class="soft">on its way</span>
  return (
    <>
      <code>{last.status ?? last.error}</code>
      {state === "pending" && next_attempt_at && (
        <span class="soft">
          {" "}
          again <Ago ms={next_attempt_at} />
        </span>
      )}
    </>
  )
}
