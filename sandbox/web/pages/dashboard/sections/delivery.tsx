/** One delivery: each attempt with its request and the receiver's answer. */

import type { DeliveryView } from "../../../../control-api/views"
import { Icon } from "../../shared/icon"
import { section } from "../dashboard"
import { dayAndSecond, duration, pretty } from "../format"
import { Ago, Button, Card, Code, Copyable, Exchange, Fact, Facts, Head, State } from "../parts"
import { href } from "../router"
import { svc } from "../service"

const TRIGGERS = {
  event: "when it happened",
  retry: "tried again",
  resend: "sent again by hand",
  duplicate: "a duplicate",
  test: "a test",
}

export const delivery = section(
  async ({ id }) => {
    const [one, { subscribers }] = await Promise.all([
      svc.deliveries.get(id),
      svc.subscribers.list(),
    ])
    return { one, subscriber: subscribers.find(({ uid }) => uid === one.subscriber_uid) }
  },

  function Delivery({ data: { one, subscriber } }) {
    const attempts = [...one.attempts].reverse()
    return (
      <>
        <Head title={one.topic} back={["deliveries", "Deliveries"]}>
          <Button
            label="Send again"
            sign="refresh"
            tone="primary"
            testid="resend"
            run={() => svc.deliveries.resend(one.id)}
            done="Sent again"
          />
        </Head>
        <Card>
          <Facts>
            <Fact name="State">
              <State state={one.state} />
            </Fact>
            <Fact name="Happened">{dayAndSecond(one.occurred_at)}</Fact>
            <Fact name="Next attempt">
              {one.next_attempt_at && <Ago ms={one.next_attempt_at} />}
            </Fact>
            <Fact name="Event">
              <Copyable text={one.event_uid} />
            </Fact>
            <Fact name="Subscriber">
              {subscriber ? (
                <a href={href(["subscribers"])}>{subscriber.name}</a>
              ) : (
                <span class="soft">deleted since</span>
              )}{" "}
              <code>{one.subscriber_uid}</code>
            </Fact>
          </Facts>
        </Card>
        {attempts.length === 0 && (
          <Card>
            <p class="soft">The first attempt has not been made yet.</p>
          </Card>
        )}
        {attempts.map((attempt, i) => (
          <AttemptCard key={attempt.delivery_uid} attempt={attempt} latest={i === 0} />
        ))}
      </>
    )
  },
)

type AttemptProps = { attempt: DeliveryView["attempts"][number]; latest: boolean }

function AttemptCard({ attempt, latest }: AttemptProps) {
  const { number, trigger, at, duration_ms, outcome, status, error, fault, request, response } =
    attempt
  const when = [TRIGGERS[trigger], dayAndSecond(at), duration(duration_ms)]
  return (
    <details class="card" open={latest} data-testid="attempt">
      <summary class="row gap-12">
        <h3>Attempt {number}</h3>
        <State state={outcome} word={status ? `${outcome} · ${status}` : outcome} />
        <span class="soft">{when.join(" · ")}</span>
        <Icon name="down" />
      </summary>
      {error && (
        <p class="note tone" data-tone="amber">
          <Icon name="alert" />
          {error}
        </p>
      )}
      {fault && <p class="soft">A fault was injected: {fault}</p>}
      <Exchange
        request={
          <>
            <Code
              text={`POST ${request.url}\n${headerLines(request.headers)}`}
              label="Request headers"
            />
            <Code text={pretty(request.body)} label="Request body" />
          </>
        }
        answer={
          response ? (
            <>
              <Code
                text={`${status}\n${headerLines(Object.entries(response.headers))}`}
                label="Answer headers"
              />
              {response.body ? (
                <Code text={pretty(response.body)} label="Answer body" />
              ) : (
                <p class="soft">Empty body</p>
              )}
            </>
          ) : (
            <p class="soft">None came.</p>
          )
        }
      />
    </details>
  )
}

const headerLines = (headers: [string, string][]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n")
