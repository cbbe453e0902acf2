/** The parts the sections are put together from. */
import { icon } from "/player/icons.js"
import { picture as shopPicture } from "/player/picture.js"
import { h } from "/player/view.js"
import { relative } from "./format.js"

/** @typedef {import("./context.js").Context} Context */

/**
 * A button that does something: it shows that it works, and what went wrong is told at the bottom
 * of the page.
 *
 * @param {Context} ctx
 * @param {object} options
 * @param {string} options.label
 * @param {() => unknown} options.run
 * @param {string} [options.key] which work this is, where one label stands for several
 * @param {string} [options.sign] an icon's name
 * @param {"primary" | "plain" | "quiet" | "danger"} [options.tone]
 * @param {string} [options.done] what to say afterwards
 * @param {boolean} [options.disabled]
 * @param {string} [options.testid]
 * @param {string} [options.title]
 */
export function button(ctx, options) {
  const { label, run, key = label, sign, tone = "plain", done, disabled, testid, title } = options
  const busy = ctx.isBusy(key)
  return h(
    `button.button.${tone}`,
    {
      type: "button",
      disabled: disabled === true,
      "aria-disabled": busy ? "true" : false,
      "data-busy": busy,
      "data-testid": testid,
      title,
      onclick: () => busy || ctx.act(key, run, done),
    },
    busy ? h("span.spinner") : sign && icon(sign),
    h("span", null, label),
  )
}

/** A button with nothing but an icon; its name is read out and shown on hover. */
export function iconButton(ctx, { label, sign, run, key = label, done, testid }) {
  const busy = ctx.isBusy(key)
  return h(
    "button.icon-button",
    {
      type: "button",
      "aria-label": label,
      title: label,
      "data-testid": testid,
      onclick: () => busy || ctx.act(key, run, done),
    },
    busy ? h("span.spinner") : icon(sign),
  )
}

/** Asks first, for what cannot be taken back. */
export const confirmed = (question, run) => () => confirm(question) && run()

const TONES = {
  live: ["red", "broadcast"],
  planned: ["blue", "clock"],
  processing: ["amber", "refresh"],
  vod: ["green", "play"],
  clip: ["violet", "film"],
  cancelled: ["grey", "close"],
  deleted: ["grey", "trash"],
  active: ["green", "check"],
  warning: ["amber", "alert"],
  disabled: ["red", "stop"],
  delivered: ["green", "check"],
  pending: ["blue", "clock"],
  failed: ["red", "alert"],
  dropped: ["amber", "close"],
  converted: ["green", "check"],
  open: ["grey", "basket"],
  enabled: ["green", "check"],
  draft: ["grey", "eye"],
  success: ["green", "check"],
  retry: ["amber", "refresh"],
  drop: ["red", "close"],
}

/** A state: colour, icon and word. @param {string} state @param {string} [word] */
export function stateBadge(state, word = state) {
  const [tone, sign] = TONES[state] ?? ["grey", "tag"]
  return h("span.state", { "data-tone": tone, "data-state": state }, icon(sign), word)
}

/** What there is to do where there is nothing yet. */
export function empty({ sign, title, text, action }) {
  return h(
    "div.empty",
    null,
    h("span.empty-sign", null, icon(sign)),
    h("h3", null, title),
    h("p", null, text),
    action,
  )
}

/** The head of a section. @param {string} title @param {...import("/player/view.js").Child} actions */
export function head(title, text, ...actions) {
  return h(
    "header.head",
    null,
    h("div", null, h("h1", { tabindex: -1 }, title), text && h("p", null, text)),
    h("div.head-actions", null, actions),
  )
}

export const card = (title, ...children) =>
  h("section.card", null, title && h("h2", null, title), children)

/** A number one looks for. */
export function figure({ label, value, note, to, testid }) {
  const content = [
    h("span.figure-label", null, label),
    h("strong.figure-value", { "data-testid": testid }, value),
    h("span.figure-note", null, note),
  ]
  return to ? h("a.figure", { href: to }, content) : h("div.figure", null, content)
}

/**
 * On a phone each row is a block; what is only a number is named there by its column.
 * @param {{ name: string, align?: "right" }[]} columns
 * @param {HTMLElement[]} rows
 */
export function table(columns, rows) {
  for (const row of rows) {
    for (const [i, cell] of [...row.children].entries()) {
      cell.setAttribute("data-label", columns[i]?.name ?? "")
    }
  }
  return h(
    "div.table-frame",
    null,
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map(({ name, align }) => h("th", { "data-align": align }, name)),
        ),
      ),
      h("tbody", null, rows),
    ),
  )
}

/** @param {Context} ctx */
export function ago(ctx, ms) {
  return ms
    ? h(
        "time",
        { datetime: new Date(ms).toISOString(), title: new Date(ms).toISOString() },
        relative(ms, ctx.now()),
      )
    : h("span.soft", null, "never")
}

export const picture = (url, alt = "") =>
  shopPicture(url, { sign: "box", alt, classes: ".picture" })

/** Something to take along. @param {Context} ctx */
export function copyable(ctx, text, label = "Copy") {
  return h(
    "span.copyable",
    null,
    h("code", null, text),
    iconButton(ctx, {
      label,
      key: `copy ${text}`,
      sign: ctx.local.copied === text ? "check" : "copy",
      run: async () => {
        await navigator.clipboard.writeText(text)
        ctx.set({ copied: text })
      },
    }),
  )
}

export function code(text, label) {
  return h("pre.code", { tabindex: 0, "aria-label": label }, text)
}

/** @param {string} label @param {import("/player/view.js").Child} control */
export function field(label, control, hint) {
  return h("label.field", null, h("span", null, label), control, hint && h("small", null, hint))
}

/** One of a few. @param {[string, string][]} choices value and word */
export function segments(choices, current, choose, label) {
  return h(
    "div.segments",
    { role: "group", "aria-label": label },
    choices.map(([value, word]) =>
      h(
        "button",
        {
          key: value,
          type: "button",
          "aria-pressed": String(value === current),
          onclick: () => choose(value),
        },
        word,
      ),
    ),
  )
}

/** A form in a dialog. `submit` gets the fields; the dialog closes when it succeeds. */
export function formDialog(ctx, { title, submit, submitLabel, key, done }, ...fields) {
  const close = () => ctx.set({ dialog: null })
  const busy = ctx.isBusy(key)
  return h(
    "dialog.modal",
    {
      key,
      "data-modal": true,
      "aria-label": title,
      onclose: close,
      onclick: (event) => event.target === event.currentTarget && close(),
    },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault()
          const values = Object.fromEntries(new FormData(event.currentTarget))
          ctx.act(
            key,
            async () => {
              await submit(values, event.target)
              close()
            },
            done,
          )
        },
      },
      h(
        "header",
        null,
        h("h2", null, title),
        h(
          "button.icon-button",
          { type: "button", "aria-label": "Close", onclick: close },
          icon("close"),
        ),
      ),
      h("div.fields", null, fields),
      ctx.errorOf(key) && h("p.form-error", { role: "alert" }, icon("alert"), ctx.errorOf(key)),
      h(
        "footer",
        null,
        h("button.button.quiet", { type: "button", onclick: close }, "Cancel"),
        h(
          "button.button.primary",
          { type: "submit", "aria-disabled": busy ? "true" : false },
          busy && h("span.spinner"),
          submitLabel,
        ),
      ),
    ),
  )
}

/** A price that has to be given, in a field of the name `price`. @param {object} props of the input */
export function priceInput(currency, props) {
  return h(
    "span.price-input",
    null,
    h("input", { name: "price", type: "number", min: 0, step: "0.01", required: true, ...props }),
    h("span", null, currency),
  )
}
