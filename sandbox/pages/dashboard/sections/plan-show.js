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

/** The dialog, while it is open. */
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
          name: values.name,
          description: values.description || undefined,
          starts_at: values.starts_at ? new Date(values.starts_at).toISOString() : undefined,
          deadline: values.deadline ? new Date(values.deadline).toISOString() : undefined,
          currency: values.currency.toUpperCase(),
          is_published: values.is_published === "on",
        })
        go(["shows", event.id])
      },
    },
    field(
      "Name",
      h("input", {
        name: "name",
        required: true,
        maxlength: 120,
        placeholder: "Autumn at the studio",
        autofocus: true,
      }),
    ),
    field(
      "Kind",
      h(
        "select",
        { name: "kind" },
        h("option", { value: "live" }, "Live show"),
        h("option", { value: "shoppable" }, "Shoppable clip"),
      ),
    ),
    h(
      "div.field-row",
      null,
      field(
        "Starts",
        h("input", {
          name: "starts_at",
          type: "datetime-local",
          value: localInput(ctx.now() + HOUR - (ctx.now() % HOUR)),
        }),
      ),
      field(
        "Prices end",
        h("input", { name: "deadline", type: "datetime-local" }),
        "Empty: they hold without end",
      ),
    ),
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
    field("Description", h("textarea", { name: "description", rows: 2 })),
    h(
      "label.check",
      null,
      h("input", { type: "checkbox", name: "is_published", checked: true }),
      "Published: storefronts may show it",
    ),
  )
}
