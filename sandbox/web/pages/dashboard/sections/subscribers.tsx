/** Webhook subscribers: who is told, how that goes, and what the merchant could do about it. */

import { useState } from "preact/hooks"
import { LIMITS, TEST_TOPIC, TOPICS } from "../../../../contract/interface"
import type { SubscriberView } from "../../../../control-api/views"
import type { Notification } from "../../../../store/tables"
import { Icon } from "../../shared/icon"
import { section, useDashboard } from "../dashboard"
import { duration, plural } from "../format"
import {
  Ago,
  Button,
  Card,
  Copyable,
  confirmed,
  Empty,
  Fact,
  Facts,
  Field,
  FormDialog,
  Head,
  Input,
  State,
  textOf,
} from "../parts"
import { href } from "../router"
import { svc, webhooks } from "../service"

const CHOICES = TOPICS.filter((topic) => topic !== TEST_TOPIC)
const MOST = LIMITS.subscribersPerPage

type Key = { name: string; value: string }

export const subscribers = section(
  async ({ page: { uid: page_uid } }) => {
    const [{ subscribers }, { notifications }] = await Promise.all([
      svc.subscribers.list({ page_uid }),
      svc.notifications(),
    ])
    return {
      subscribers,
      notifications: notifications.filter((one) => one.page_uid === page_uid),
    }
  },

  function Subscribers({ data: { subscribers: all, notifications } }) {
    const [key, setKey] = useState<Key>()
    const [adding, setAdding] = useState(false)
    const full = all.length >= MOST
    const addButton = (
      <Button
        label="Add subscriber"
        sign="plus"
        tone={all.length === 0 ? "primary" : "plain"}
        testid="add-subscriber"
        disabled={full}
        title={full ? `A page has at most ${MOST} subscribers` : undefined}
        run={() => setAdding(true)}
      />
    )
    return (
      <>
        <Head title="Webhooks" text={`${all.length} of ${MOST} subscribers`}>
          {addButton}
        </Head>
        {key && <KeyShownOnce shown={key} close={() => setKey(undefined)} />}
        {all.length === 0 && (
          <Empty
            sign="webhook"
            title="Nobody listens yet"
            text="The store registers its own webhook from its connection. You can also add a subscriber by hand."
          >
            {addButton}
          </Empty>
        )}
        <ul class="stack gap-16">
          {all.map((one) => (
            <Subscriber key={one.uid} one={one} showKey={setKey} />
          ))}
        </ul>
        {notifications.length > 0 && <Notices notifications={notifications} />}
        {adding && <AddDialog close={() => setAdding(false)} showKey={setKey} />}
      </>
    )
  },
)

function KeyShownOnce({ shown, close }: { shown: Key; close: () => void }) {
  return (
    <div class="note tone gap-16" data-tone="violet" role="status" data-testid="signature-key">
      <Icon name="key" />
      <div class="stack gap-0 grow">
        <strong>Signature key of {shown.name}</strong>
        <p>Shown this once. Give it to the receiver now.</p>
        <Copyable text={shown.value} label="Copy the key" />
      </div>
      <button type="button" class="icon-button" aria-label="I have it" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  )
}

/** How far a streak of failures has come (interface §3.2). */
function Streak({ one }: { one: SubscriberView }) {
  const { now } = useDashboard()
  if (!one.failing_since) return null
  const next = {
    active: "warning after 30 min",
    warning: "disabled after 60 min",
    disabled: "nothing is sent any more",
  }[one.state]
  return (
    <p class="note tone" data-tone="amber">
      <Icon name="alert" />
      {plural(one.consecutive_failures, "failure")} in a row, for{" "}
      {duration(now() - one.failing_since)}: {next}
    </p>
  )
}

function Subscriber({ one, showKey }: { one: SubscriberView; showKey: (key: Key) => void }) {
  const { page, tell } = useDashboard()
  const { uid, name, url, state, topics, custom_headers } = one
  const disabled = state === "disabled"

  async function test(): Promise<void> {
    const last = (await svc.subscribers.test(uid)).attempts.at(-1)
    const answer = last?.status ?? last?.error ?? "no answer"
    tell(`Test delivery: ${answer}`, last?.outcome === "success" ? "good" : "bad")
  }

  return (
    <li class="card stack gap-16" data-testid="subscriber" data-state={state}>
      <div>
        <header class="row between gap-16">
          <h2>{name}</h2>
          <State state={state} />
        </header>
        <code class="soft wrap">{url}</code>
      </div>
      <Streak one={one} />
      {disabled && (
        <p class="soft">
          What happens while it is disabled is never sent. Fix the receiver, then activate.
        </p>
      )}
      <Facts>
        <Fact name="Topics">
          <span title={topics.join("\n")}>
            {topics.length >= CHOICES.length ? "all" : topics.join(", ")}
          </span>
        </Fact>
        <Fact name="Own headers">
          {custom_headers.length > 0 && custom_headers.map((header) => header.name).join(", ")}
        </Fact>
        <Fact name="Last delivery">
          <Ago ms={one.last_delivery_at} />, last success <Ago ms={one.last_success_at} />
        </Fact>
      </Facts>
      <div class="row">
        {disabled && (
          <Button
            label="Activate"
            tone="primary"
            testid="activate"
            run={() => svc.subscribers.activate(uid)}
            done={`${name} is active`}
          />
        )}
        <Button
          label="Send a test"
          sign="send"
          testid="test-delivery"
          disabled={disabled}
          run={test}
        />
        <a class="button plain" href={href(["deliveries"], { subscriber: uid })}>
          Deliveries
        </a>
        <Button
          label="New key"
          tone="quiet"
          testid="rotate"
          run={confirmed("Issue a new key? The old one stops verifying at once.", async () =>
            showKey({ name, value: await webhooks.rotate(page, uid) }),
          )}
        />
        <Button
          label="Delete"
          tone="quiet"
          testid="delete-subscriber"
          run={confirmed(`Delete the subscriber ${name}?`, () => webhooks.remove(page, uid))}
          done={`${name} is deleted`}
        />
      </div>
    </li>
  )
}

function Notices({ notifications }: { notifications: Notification[] }) {
  return (
    <Card title="What the merchant was told">
      <ul class="rows">
        {notifications.map(({ id, kind, message, at }) => (
          <li key={id}>
            <State state={kind} />
            <span class="grow">{message}</span>
            <span class="soft">
              <Ago ms={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** `X-Shop: north`, one a line. */
const readHeaders = (text: string) =>
  text
    .split("\n")
    .map((line) => line.split(/:(.*)/s))
    .filter(([name]) => name?.trim())
    .map(([name = "", value = ""]) => ({ name: name.trim(), value: value.trim() }))

function AddDialog({ close, showKey }: { close: () => void; showKey: (key: Key) => void }) {
  const { page } = useDashboard()

  async function add(values: FormData): Promise<void> {
    const name = textOf(values, "name")
    const customHeaders = readHeaders(textOf(values, "headers"))
    const value = await webhooks.create(page, {
      name,
      url: textOf(values, "url"),
      topics: values.getAll("topics"),
      ...(customHeaders.length > 0 && { customHeaders }),
    })
    showKey({ name, value })
  }

  return (
    <FormDialog title="Add subscriber" submitLabel="Add" close={close} submit={add}>
      <Field label="Name">
        <Input name="name" required placeholder="My receiver" autoFocus />
      </Field>
      <Field label="URL" hint="HTTPS; plain HTTP for addresses of this machine">
        <Input name="url" type="url" required placeholder="https://shop.example/hooks" />
      </Field>
      <fieldset class="stack gap-4">
        <legend class="strong">Topics</legend>
        <div class="columns" style={{ "--column": "200px" }}>
          {CHOICES.map((topic) => (
            <label key={topic} class="row nowrap text-12">
              <input type="checkbox" name="topics" value={topic} defaultChecked />
              {topic}
            </label>
          ))}
        </div>
      </fieldset>
      <Field label="Own headers" hint="One a line, at most five">
        <textarea name="headers" rows={2} placeholder="X-Shop: north" />
      </Field>
    </FormDialog>
  )
}
