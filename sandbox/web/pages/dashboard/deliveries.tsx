/** What was delivered to whom, what was answered, and what is tried again. */

import { useState } from "preact/hooks"
import type { DeliveryView, SubscriberView } from "../../../control-api/views"
import type { Page } from "../../../store/tables"
import { Button, Card, Code, Copyable, Empty, Facts, Head, State, Table } from "./parts"
import { href, pretty, sentenceOf, svc, timeOf, useLoaded } from "./shared"

const STATES = ["delivered", "pending", "failed", "dropped"] as const
const SHOWN = 100

export function Deliveries({ page }: { page: Page }) {
  const page_uid = page.uid
  const [state, setState] = useState<(typeof STATES)[number]>()
  const { data } = useLoaded(
    async () => ({
      ...(await svc.deliveries.list({ page_uid, state, limit: SHOWN })),
      ...(await svc.subscribers.list({ page_uid })),
    }),
    `${page_uid} ${state}`,
  )
  if (!data) return null
  const { deliveries, count, subscribers } = data
  return (
    <>
      <Head title="Deliveries" text={`${count} sent, or on their way`}>
        <select
          aria-label="State"
          value={state ?? ""}
          onChange={({ currentTarget }) =>
            setState(STATES.find((one) => one === currentTarget.value))
          }
        >
          <option value="">Every state</option>
          {STATES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Head>
      {subscribers.length === 0 ? (
        <Empty title="Nobody to deliver to">
          The store registers its webhook from its connection; from then on every change of a show
          is delivered.
        </Empty>
      ) : (
        <Card title="Who listens">
          <ul class="divided">
            {subscribers.map((subscriber) => (
              <Subscriber key={subscriber.uid} subscriber={subscriber} />
            ))}
          </ul>
        </Card>
      )}
      {deliveries.length > 0 && (
        <Table columns={["Topic", "State", "Answer", "#Attempts", "When"]}>
          {deliveries.map(({ id, topic, state, attempts, created_at, next_attempt_at }) => (
            <tr key={id} data-testid="delivery" data-topic={topic}>
              <td>
                <a class="part strong" href={href("deliveries", id)}>
                  <code>{topic}</code>
                </a>
              </td>
              <td>
                <State state={state} />
              </td>
              <td>
                <code>{attempts.at(-1)?.status ?? attempts.at(-1)?.error ?? "on its way"}</code>
                {next_attempt_at && state === "pending" && (
                  <span class="soft"> again {timeOf(next_attempt_at)}</span>
                )}
              </td>
              <td class="numeric">{attempts.length}</td>
              <td class="soft">{timeOf(created_at)}</td>
            </tr>
          ))}
        </Table>
      )}
      {count > SHOWN && (
        <p class="soft center">
          The latest {SHOWN}. All of them: <code>GET /_sandbox/deliveries</code>
        </p>
      )}
    </>
  )
}

function Subscriber({ subscriber }: { subscriber: SubscriberView }) {
  const { uid, name, url, state, topics, consecutive_failures: failures } = subscriber
  return (
    <li class="row between gap-16" data-testid="subscriber" data-state={state}>
      <div class="stack gap-0 grow">
        <strong class="wrap">{name}</strong>
        <span class="soft wrap">
          {url} · {topics.length} topics{failures > 0 && ` · ${failures} failures in a row`}
        </span>
      </div>
      <State state={state} />
      {state === "disabled" ? (
        <Button label="Activate" testid="activate" run={() => svc.subscribers.activate(uid)} />
      ) : (
        <Button
          label="Send a test"
          sign="send"
          testid="test-delivery"
          run={() => svc.subscribers.test(uid)}
          done="The test was sent"
        />
      )}
    </li>
  )
}

export function Delivery({ id }: { id: string }) {
  const { data: one, error } = useLoaded(() => svc.deliveries.get(id), id)
  if (error) {
    return (
      <Empty title="This delivery is no longer here">
        {sentenceOf(error)} <a href={href("deliveries")}>All deliveries</a>
      </Empty>
    )
  }
  if (!one) return null
  return (
    <>
      <Head title={one.topic} text={<a href={href("deliveries")}>All deliveries</a>}>
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
        <Facts
          facts={{
            State: <State state={one.state} />,
            Happened: timeOf(one.occurred_at),
            "Next attempt": one.next_attempt_at && timeOf(one.next_attempt_at),
            Event: <Copyable text={one.event_uid} label="Copy the event's uid" />,
            Subscriber: <code>{one.subscriber_uid}</code>,
          }}
        />
      </Card>
      {[...one.attempts].reverse().map((attempt) => (
        <Attempt key={attempt.delivery_uid} attempt={attempt} />
      ))}
    </>
  )
}

function Attempt({ attempt }: { attempt: DeliveryView["attempts"][number] }) {
  const { number, trigger, at, duration_ms, outcome, status, error, fault } = attempt
  const { request, response } = attempt
  return (
    <section class="card stack gap-16" data-testid="attempt">
      <header class="row gap-12">
        <h2>Attempt {number}</h2>
        <State state={outcome} word={status ? `${outcome} · ${status}` : outcome} />
        <span class="soft">
          {trigger} · {timeOf(at)} · {duration_ms} ms{fault && ` · a fault: ${fault}`}
        </span>
      </header>
      <div class="columns">
        <section class="stack">
          <h3>Request</h3>
          <Code text={`POST ${request.url}\n${lines(request.headers)}`} label="Request headers" />
          <Code text={pretty(request.body)} label="Request body" />
        </section>
        <section class="stack">
          <h3>Answer</h3>
          {response ? (
            <Code
              text={`${status}\n${lines(Object.entries(response.headers))}\n\n${pretty(response.body)}`}
              label="Answer"
            />
          ) : (
            <p class="soft">{error ?? "None came."}</p>
          )}
        </section>
      </div>
    </section>
  )
}

const lines = (headers: [string, string][]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n")
