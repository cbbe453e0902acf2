/** Faults, profiles and snapshots: how to make the service misbehave, on purpose. */

import type { FaultRuleInput, PlanRecord } from "../../../../simulation/faults"
import type { ProfileView } from "../../../../simulation/profiles"
import { Icon } from "../../shared/icon"
import { Clock } from "../clock"
import { section, useAction } from "../dashboard"
import { dayAndTime, plural } from "../format"
import {
  Button,
  Card,
  confirmed,
  Field,
  Head,
  IconButton,
  Input,
  SubmitButton,
  Switch,
  textOf,
} from "../parts"
import { svc } from "../service"

type Preset = { name: string; text: string; rule: FaultRuleInput }

/** The faults one wants most, one switch each. The name is how a switch finds its own again. */
const PRESETS: Preset[] = [
  {
    name: "Service down",
    text: "Every call of the store is answered 503",
    rule: { on: "api", kind: "status", status: 503 },
  },
  {
    name: "Prices slow",
    text: "Each price lookup takes 3 s",
    rule: { on: "price", kind: "delay", delay_ms: 3000 },
  },
  {
    name: "Prices gone",
    text: "Each price lookup is answered 500",
    rule: { on: "price", kind: "status", status: 500 },
  },
  {
    name: "Connections reset",
    text: "One call in three breaks off",
    rule: { on: "api", kind: "reset", probability: 0.33 },
  },
  {
    name: "Catalog throttled",
    text: "Pushes are answered 429, come back in 5 s",
    rule: { on: "products", kind: "status", status: 429, retry_after: 5 },
  },
  {
    name: "Receiver down",
    text: "Deliveries find nobody listening",
    rule: { on: "delivery", kind: "refuse" },
  },
  {
    name: "First attempts lost",
    text: "Attempts 1 and 2 of each delivery time out",
    rule: { on: "delivery", kind: "hang", attempts: [1, 2] },
  },
  {
    name: "Deliveries garbled",
    text: "Half the deliveries carry bytes that are no JSON",
    rule: { on: "delivery", kind: "garbage", probability: 0.5 },
  },
]

/** What somebody without the key could post. Each switch takes the place of real deliveries. */
const FORGERIES: Preset[] = (
  [
    ["Forged signatures", "forged_signature", "Made up, or no signature at all"],
    ["Missing signatures", "missing_signature", "Without X-Svc-Signature or X-Svc-Timestamp"],
    ["Other keys", "other_key", "Signed by somebody else"],
    ["Stale signatures", "stale_signature", "Signed a day ago, or for tomorrow"],
    ["Tampered bodies", "tampered_body", "Changed after they were signed"],
  ] as const
).map(([name, kind, text]) => ({ name, text, rule: { on: "delivery", kind } }))

const PLAN_EXAMPLE = `{
  "name": "Mine",
  "seed": "1",
  "rules": [{ "on": "price", "kind": "status", "status": 500, "times": 2 }]
}`

export const controls = section(
  async () => {
    const [{ faults }, { profiles }, { snapshots }] = await Promise.all([
      svc.faults.list(),
      svc.profiles.list(),
      svc.snapshots.list(),
    ])
    return { faults, profiles, snapshots }
  },

  function Controls({ data: { faults, profiles, snapshots } }) {
    return (
      <>
        <Head title="Controls" text="Make the service misbehave, and see the store take it." />
        {/* Where the page is narrow, the clock beside the navigation has no room for its buttons. */}
        <Clock label="Move the clock" />
        <Faults faults={faults} />
        <OwnFaults faults={faults} />
        <Profiles profiles={profiles} />
        <Snapshots snapshots={snapshots} />
      </>
    )
  },
)

const timesApplied = ({ rules }: PlanRecord) =>
  plural(
    rules.reduce((sum, { applied }) => sum + applied, 0),
    "time",
  )

function Faults({ faults }: { faults: PlanRecord[] }) {
  return (
    <Card
      title="Faults"
      action={
        faults.length > 0 && (
          <Button label="All off" tone="quiet" run={svc.faults.clear} done="No faults any more" />
        )
      }
    >
      <Switches presets={PRESETS} faults={faults} />
      <h3>As if from somebody else</h3>
      <p class="soft">
        These take the place of real deliveries. A right receiver answers 401, so what they tell is
        lost until it is sent again by hand. A restart turns them off.
      </p>
      <Switches presets={FORGERIES} faults={faults} />
    </Card>
  )
}

function Switches({ presets, faults }: { presets: Preset[]; faults: PlanRecord[] }) {
  return (
    <ul class="columns gap-16" style={{ "--column": "340px" }}>
      {presets.map(({ name, text, rule }) => {
        const on = faults.find((fault) => fault.name === name)
        return (
          <li key={name} class="row nowrap between">
            <Switch
              name={name}
              testid="fault-switch"
              on={on !== undefined}
              turn={() => (on ? svc.faults.remove(on.id) : svc.faults.add({ name, rules: [rule] }))}
            >
              <span class="strong">{name}</span>
              <small>{text}</small>
            </Switch>
            {on && (
              <span class="struck state tone" data-tone="violet">
                {timesApplied(on)}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Plans made elsewhere, and a field for one of one's own. */
function OwnFaults({ faults }: { faults: PlanRecord[] }) {
  const { busy, run } = useAction()
  const others = faults.filter(
    ({ name }) => ![...PRESETS, ...FORGERIES].some((preset) => preset.name === name),
  )
  return (
    <details class="card" open={others.length > 0}>
      <summary class="row gap-12">
        <strong>Fault plans of your own</strong>
        {others.length > 0 && plural(others.length, "plan")}
        <Icon name="down" />
      </summary>
      <ul class="rows">
        {others.map((fault) => (
          <li key={fault.id}>
            <strong>{fault.name}</strong>
            <span class="soft grow">
              {fault.rules
                .map(({ on, kind, kinds }) => `${on}: ${kind ?? kinds?.join("/")}`)
                .join(", ")}
            </span>
            <span class="soft">{timesApplied(fault)}</span>
            <IconButton
              label={`Remove ${fault.name}`}
              sign="trash"
              run={() => svc.faults.remove(fault.id)}
            />
          </li>
        ))}
      </ul>
      <form
        class="stack gap-12"
        onSubmit={(event) => {
          event.preventDefault()
          const text = textOf(new FormData(event.currentTarget), "plan")
          run(() => svc.faults.add(JSON.parse(text)), "The plan is in force")
        }}
      >
        <Field label="Plan" hint="What a rule may say is in docs/sandbox.md">
          <textarea
            class="text-12"
            name="plan"
            rows={5}
            spellcheck={false}
            required
            defaultValue={PLAN_EXAMPLE}
          />
        </Field>
        <div>
          <SubmitButton label="Put in force" busy={busy} />
        </div>
      </form>
    </details>
  )
}

function Profiles({ profiles }: { profiles: ProfileView[] }) {
  const changed = profiles.filter((profile) => profile.value !== profile.default).length
  return (
    <Card
      title="Profiles"
      action={
        changed > 0 && (
          <Button
            label={`Reset ${changed}`}
            tone="quiet"
            run={svc.profiles.reset}
            done="As the document reads"
          />
        )
      }
    >
      <p class="soft">Where the interface is silent, the real service could do otherwise.</p>
      <ul class="divided">
        {profiles.map((profile) => (
          <Profile key={profile.name} profile={profile} />
        ))}
      </ul>
    </Card>
  )
}

function Profile({ profile }: { profile: ProfileView }) {
  const { run } = useAction()
  const { name, gap, description, values, value } = profile
  const set = (next: string | number) => run(() => svc.profiles.set({ [name]: next }))
  const common = { "aria-label": name, "data-testid": `profile-${name}` }
  return (
    <li class="profile row gap-24" data-changed={value !== profile.default || undefined}>
      <div class="stack gap-0 grow">
        <span class="strong">{name.replaceAll("_", " ")}</span>
        <small>
          {description} ({/^\d/.test(gap) && "gap "}
          {gap})
        </small>
      </div>
      {values === "number" ? (
        <Input
          {...common}
          type="number"
          min={0}
          value={value}
          onChange={({ currentTarget }) => set(Number(currentTarget.value))}
        />
      ) : (
        <select
          {...common}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {values.map((one) => (
            <option key={one} value={one}>
              {one.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      )}
    </li>
  )
}

function Snapshots({ snapshots }: { snapshots: { name: string; taken_at: number }[] }) {
  const { busy, run } = useAction()
  return (
    <Card title="Snapshots">
      {snapshots.length === 0 && (
        <p class="soft">
          Keep a copy of everything, clock and pending retries included, and come back to it.
        </p>
      )}
      <ul class="rows">
        {snapshots.map(({ name, taken_at }) => (
          <li key={name}>
            <strong>{name}</strong>
            <span class="soft grow">{dayAndTime(taken_at)}</span>
            <Button
              label="Restore"
              run={() => svc.snapshots.restore(name)}
              done={`Back to ${name}`}
            />
            <IconButton
              label={`Forget ${name}`}
              sign="trash"
              run={() => svc.snapshots.remove(name)}
            />
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          run(async () => {
            await svc.snapshots.take(textOf(new FormData(form), "name"))
            form.reset()
          })
        }}
      >
        <Input
          class="grow"
          name="name"
          required
          placeholder="Before the show"
          aria-label="Name of the snapshot"
        />
        <SubmitButton label="Take a snapshot" busy={busy} />
      </form>
      <div class="row between gap-16">
        <div>
          <strong>Start over</strong>
          <p class="soft">
            Forgets products, shows, orders, subscribers, faults. Pages and tokens stay.
          </p>
        </div>
        <Button
          label="Reset the sandbox"
          tone="danger"
          testid="reset"
          run={confirmed("Forget everything the sandbox knows?", () => svc.reset())}
          done="As new"
        />
      </div>
    </Card>
  )
}
