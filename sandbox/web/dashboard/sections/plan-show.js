/** Planning a show, from wherever one stands. */
import { h } from "/player/view.js"
import { post } from "../api.js"
import { localInput } from "../format.js"
import { button, field, formDialog } from "../parts.js"
import { go } from "../router.js"

const HOUR = 3_600_000

export const planShow = (ctx) =>
  button(ctx, {
    label: "Plan a show",
    sign: "plus",
    tone: "primary",
    testid: "plan-show",
    run: () => ctx.set({ dialog: "plan" }),
  })

export const editShow = (ctx) =>
  button(ctx, {
    label: "Edit",
    tone: "quiet",
    testid: "edit-show",
    run: () => ctx.set({ dialog: "edit" }),
  })

const isoTime = (text) => (text ? new Date(text).toISOString() : undefined)

/** The dialog for a new show, while it is open. */
export function showDialog(ctx) {
  if (ctx.local.dialog !== "plan") {
    return null
  }
  return formDialog(
    ctx,
    {
      title: "Plan a show",
      key: "plan-show-form",
      submitLabel: "Plan it",
      submit: async (values) => {
        const { event } = await post("/events", {
          page_uid: ctx.page.uid,
          kind: values.kind,
          currency: values.currency.toUpperCase(),
          is_published: values.is_published === "on",
          ...common(values),
        })
        go(["shows", event.id])
      },
    },
    nameField(),
    field(
      "Kind",
      h(
        "select",
        { name: "kind" },
        h("option", { value: "live" }, "Live show"),
        h("option", { value: "shoppable" }, "Shoppable clip"),
      ),
    ),
    timeFields(ctx.now() + HOUR - (ctx.now() % HOUR)),
    field(
      "Currency",
      h("input", {
        name: "currency",
        value: ctx.page.currency,
        pattern: "[A-Za-z]{3}",
        maxlength: 3,
        required: true,
      }),
    ),
    descriptionField(),
    h(
      "label.check",
      null,
      h("input", { type: "checkbox", name: "is_published", checked: true }),
      "Published: storefronts may show it",
    ),
  )
}

/** The dialog for a show that is there, while it is open. */
export function editShowDialog(ctx, event) {
  if (ctx.local.dialog !== "edit") {
    return null
  }
  const { eventName, description, eventStartTimestamp } = event.data.event
  return formDialog(
    ctx,
    {
      title: "Edit the show",
      key: "edit-show-form",
      submitLabel: "Save",
      done: "Saved",
      submit: (values) =>
        post(`/events/${encodeURIComponent(event.id)}`, {
          ...common(values),
          deadline: isoTime(values.deadline) ?? null,
        }),
    },
    nameField(eventName),
    timeFields(eventStartTimestamp, event.deadline),
    descriptionField(description),
  )
}

const common = (values) => ({
  name: values.name,
  description: values.description || undefined,
  starts_at: isoTime(values.starts_at),
  deadline: isoTime(values.deadline),
})

const nameField = (value) =>
  field(
    "Name",
    h("input", {
      name: "name",
      value,
      required: true,
      maxlength: 120,
      placeholder: "Autumn at the studio",
      autofocus: true,
    }),
  )

const descriptionField = (value) =>
  field("Description", h("textarea", { name: "description", rows: 2, value }))

const timeFields = (starts, deadline) =>
  h(
    "div.field-row",
    null,
    field(
      "Starts",
      h("input", {
        name: "starts_at",
        type: "datetime-local",
        value: starts ? localInput(starts) : undefined,
      }),
    ),
    field(
      "Prices end",
      h("input", {
        name: "deadline",
        type: "datetime-local",
        value: deadline ? localInput(deadline) : undefined,
      }),
      "Empty: they hold without end",
    ),
  )
