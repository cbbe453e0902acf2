/** Faults, profiles and snapshots: how to make the service misbehave, on purpose. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { get, post, remove } from "../api.js"
import { clockWidget } from "../clock.js"
import { dayAndTime, plural } from "../format.js"
import { button, card, confirmed, field, head, iconButton } from "../parts.js"

/** The faults one wants most, one switch each. The name is how a switch finds its own again. */
const SWITCHES = [
  {
    name: "Service down",
    text: "Every call of the store is answered 503",
    rules: [{ on: "api", kind: "status", status: 503 }],
  },
  {
    name: "Prices slow",
    text: "Each price lookup takes 3 s",
    rules: [{ on: "price", kind: "delay", delay_ms: 3000 }],
  },
  {
    name: "Prices gone",
    text: "Each price lookup is answered 500",
    rules: [{ on: "price", kind: "status", status: 500 }],
  },
  {
    name: "Connections reset",
    text: "One call in three breaks off",
    rules: [{ on: "api", kind: "reset", probability: 0.33 }],
  },
  {
    name: "Catalog throttled",
    text: "Pushes are answered 429, come back in 5 s",
    rules: [{ on: "products", kind: "status", status: 429, retry_after: 5 }],
  },
  {
    name: "Receiver down",
    text: "Deliveries find nobody listening",
    rules: [{ on: "delivery", kind: "refuse" }],
  },
  {
    name: "First attempts lost",
    text: "Attempts 1 and 2 of each delivery time out",
    rules: [{ on: "delivery", kind: "hang", attempts: [1, 2] }],
  },
  {
    name: "Deliveries garbled",
    text: "Half the deliveries carry bytes that are no JSON",
    rules: [{ on: "delivery", kind: "garbage", probability: 0.5 }],
  },
]

export const controls = {
  async load() {
    const [{ faults }, { profiles }, { snapshots }] = await Promise.all([
      get("/faults"),
      get("/profiles"),
      get("/snapshots"),
    ])
    return { faults, profiles, snapshots }
  },

  view(ctx, { faults, profiles, snapshots }) {
    return [
      head("Controls", "Make the service misbehave, and see the store take it."),
      // Where the page is narrow, the clock beside the navigation has no room for its buttons.
      clockWidget(ctx, "Move the clock"),
      faultSwitches(ctx, faults),
      ownFaults(ctx, faults),
      profileList(ctx, profiles),
      snapshotList(ctx, snapshots),
    ]
  },
}

const appliedBy = ({ rules }) => rules.reduce((sum, { applied }) => sum + applied, 0)

function faultSwitches(ctx, faults) {
  return card(
    null,
    h(
      "header.card-head",
      null,
      h("h2", null, "Faults"),
      faults.length > 0 &&
        button(ctx, {
          label: "All off",
          tone: "quiet",
          run: () => remove("/faults"),
          done: "No faults any more",
        }),
    ),
    h(
      "ul.switches",
      null,
      SWITCHES.map(({ name, text, rules }) => {
        const on = faults.find((fault) => fault.name === name)
        const key = `fault ${name}`
        return h(
          "li",
          { key: name },
          h(
            "label.switch",
            { "data-testid": "fault-switch" },
            h("input", {
              type: "checkbox",
              role: "switch",
              checked: on !== undefined,
              "aria-label": name,
              onchange: () =>
                ctx.act(key, () =>
                  on
                    ? remove(`/faults/${encodeURIComponent(on.id)}`)
                    : post("/faults", { name, rules }),
                ),
            }),
            h("span", null, h("strong", null, name), h("small", null, text)),
          ),
          on && h("span.struck", null, plural(appliedBy(on), "time")),
        )
      }),
    ),
  )
}

/** Plans made elsewhere, and a field for one of one's own. */
function ownFaults(ctx, faults) {
  const others = faults.filter(({ name }) => !SWITCHES.some((one) => one.name === name))
  return h(
    "details.card",
    { open: others.length > 0 },
    h(
      "summary",
      null,
      h("strong", null, "Fault plans of your own"),
      others.length > 0 && plural(others.length, "plan"),
      icon("down"),
    ),
    h(
      "ul.rows",
      null,
      others.map((fault) =>
        h(
          "li",
          { key: fault.id },
          h("strong", null, fault.name || fault.id),
          h(
            "span.soft",
            null,
            fault.rules
              .map(({ on, kind, kinds }) => `${on}: ${kind ?? kinds?.join("/")}`)
              .join(", "),
          ),
          h("span.soft", null, plural(appliedBy(fault), "time")),
          iconButton(ctx, {
            label: `Remove ${fault.name || fault.id}`,
            sign: "trash",
            run: () => remove(`/faults/${encodeURIComponent(fault.id)}`),
          }),
        ),
      ),
    ),
    h(
      "form.plan-form",
      {
        onsubmit: (event) => {
          event.preventDefault()
          const text = new FormData(event.currentTarget).get("plan")
          ctx.act("plan", () => post("/faults", JSON.parse(text)), "The plan is in force")
        },
      },
      field(
        "Plan",
        h("textarea", {
          name: "plan",
          rows: 5,
          spellcheck: "false",
          required: true,
          value:
            '{\n  "name": "Mine",\n  "seed": "1",\n  "rules": [{ "on": "price", "kind": "status", "status": 500, "times": 2 }]\n}',
        }),
        "What a rule may say is in docs/sandbox.md",
      ),
      h("button.button.plain", { type: "submit" }, "Put in force"),
    ),
  )
}

function profileList(ctx, profiles) {
  const changed = profiles.filter((profile) => profile.value !== profile.default)
  return card(
    null,
    h(
      "header.card-head",
      null,
      h("h2", null, "Profiles"),
      changed.length > 0 &&
        button(ctx, {
          label: `Reset ${changed.length}`,
          key: "profiles reset",
          tone: "quiet",
          run: () => remove("/profiles"),
          done: "As the document reads",
        }),
    ),
    h("p.soft", null, "Where the interface is silent, the real service could do otherwise."),
    h(
      "ul.profiles",
      null,
      profiles.map((profile) => profileRow(ctx, profile)),
    ),
  )
}

function profileRow(ctx, { name, gap, description, values, value, default: standard }) {
  const set = (next) => ctx.act(`profile ${name}`, () => post("/profiles", { [name]: next }))
  return h(
    "li",
    { key: name, "data-changed": value !== standard },
    h(
      "div",
      null,
      h("strong", null, name.replaceAll("_", " ")),
      h("small", null, description, ` (${/^\d/.test(gap) ? "gap " : ""}${gap})`),
    ),
    Array.isArray(values)
      ? h(
          "select",
          {
            "aria-label": name,
            "data-testid": `profile-${name}`,
            value,
            onchange: ({ currentTarget }) => set(currentTarget.value),
          },
          values.map((one) => h("option", { value: one }, String(one).replaceAll("_", " "))),
        )
      : h("input", {
          type: "number",
          min: 0,
          "aria-label": name,
          "data-testid": `profile-${name}`,
          value,
          onchange: ({ currentTarget }) => set(Number(currentTarget.value)),
        }),
  )
}

function snapshotList(ctx, snapshots) {
  return card(
    "Snapshots",
    snapshots.length === 0
      ? h(
          "p.soft",
          null,
          "Keep a copy of everything, clock and pending retries included, and come back to it.",
        )
      : h(
          "ul.rows",
          null,
          snapshots.map(({ name, taken_at }) =>
            h(
              "li",
              { key: name },
              h("strong", null, name),
              h("span.soft", null, dayAndTime(taken_at)),
              button(ctx, {
                label: "Restore",
                key: `restore ${name}`,
                run: () => post("/restore", { name }),
                done: `Back to ${name}`,
              }),
              iconButton(ctx, {
                label: `Forget ${name}`,
                sign: "trash",
                run: () => remove(`/snapshots/${encodeURIComponent(name)}`),
              }),
            ),
          ),
        ),
    h(
      "form.row",
      {
        onsubmit: (event) => {
          event.preventDefault()
          const form = event.currentTarget
          const name = new FormData(form).get("name")
          ctx.act("snapshot", async () => {
            await post("/snapshots", { name })
            form.reset()
          })
        },
      },
      h("input", {
        name: "name",
        required: true,
        placeholder: "Before the show",
        "aria-label": "Name of the snapshot",
      }),
      h("button.button.plain", { type: "submit" }, "Take a snapshot"),
    ),
    h(
      "div.danger-zone",
      null,
      h(
        "div",
        null,
        h("strong", null, "Start over"),
        h(
          "p.soft",
          null,
          "Forgets products, shows, orders, subscribers, faults. Pages and tokens stay.",
        ),
      ),
      button(ctx, {
        label: "Reset the sandbox",
        tone: "danger",
        testid: "reset",
        run: confirmed("Forget everything the sandbox knows?", () => post("/reset")),
        done: "As new",
      }),
    ),
  )
}
