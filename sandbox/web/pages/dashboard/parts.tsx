/** The parts that the dashboard is put together from. */

import type { ComponentChildren } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { Icon, type IconName } from "../shared/icon"
import { attempt } from "./shared"

type Children = { children?: ComponentChildren }

type ButtonProps = {
  label: string
  run: () => unknown
  sign?: IconName
  tone?: "primary" | "plain" | "quiet"
  /** What to say afterwards. */
  done?: string
  disabled?: boolean
  testid?: string
}

export function Button({ label, run, sign, tone = "plain", done, disabled, testid }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  return (
    <button
      type="button"
      class={`button ${tone}`}
      disabled={disabled}
      aria-disabled={busy}
      data-testid={testid}
      onClick={async () => {
        if (busy) return
        setBusy(true)
        await attempt(run, done)
        setBusy(false)
      }}
    >
      {busy ? <span class="spinner" /> : sign && <Icon name={sign} />}
      <span>{label}</span>
    </button>
  )
}

const STATES: Record<string, [tone: string, sign: IconName]> = {
  live: ["red", "broadcast"],
  planned: ["blue", "clock"],
  processing: ["amber", "refresh"],
  vod: ["green", "play"],
  clip: ["violet", "film"],
  active: ["green", "check"],
  warning: ["amber", "alert"],
  disabled: ["red", "stop"],
  delivered: ["green", "check"],
  pending: ["blue", "clock"],
  failed: ["red", "alert"],
  dropped: ["amber", "close"],
  converted: ["green", "check"],
  success: ["green", "check"],
  retry: ["amber", "refresh"],
  drop: ["red", "close"],
}

/** A state: colour, icon and word. */
export function State({ state, word = state }: { state: string; word?: string }) {
  const [tone, sign] = STATES[state] ?? ["grey", "tag"]
  return (
    <span class="state tone" data-tone={tone} data-state={state}>
      <Icon name={sign} />
      {word}
    </span>
  )
}

export function Head(props: Children & { title: string; text?: ComponentChildren }) {
  useLayoutEffect(() => {
    document.title = `${props.title} · svc sandbox`
  }, [props.title])
  return (
    <header class="row between gap-16">
      <div>
        <h1>{props.title}</h1>
        {props.text && <p class="soft">{props.text}</p>}
      </div>
      <div class="row">{props.children}</div>
    </header>
  )
}

export function Card({ title, children }: Children & { title?: string }) {
  return (
    <section class="card stack gap-16">
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}

/** What there is to do where there is nothing yet. */
export function Empty({ title, children }: Children & { title: string }) {
  return (
    <div class="empty stack center">
      <h3>{title}</h3>
      <p class="soft">{children}</p>
    </div>
  )
}

/** @param columns  a name that begins with `#` is a column of numbers */
export function Table({ columns, children }: Children & { columns: string[] }) {
  return (
    <div class="panel">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} class={`soft text-12 ${name.startsWith("#") ? "numeric" : ""}`}>
                {name.replace("#", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Names and their values; what has none is left out. */
export function Facts({ facts }: { facts: Record<string, ComponentChildren> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt class="soft">{name}</dt>
              <dd class="wrap">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span class="copyable row nowrap gap-4">
      <code class="truncate">{text}</code>
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        onClick={() => attempt(() => navigator.clipboard.writeText(text), "Copied")}
      >
        <Icon name="copy" />
      </button>
    </span>
  )
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long text is scrolled by keyboard too
    <section class="code well" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

export function Field({ label, children }: Children & { label: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="stack gap-4">
      <span class="strong">{label}</span>
      {children}
    </label>
  )
}

type FormProps = Children & {
  submitLabel: string
  submit: (values: FormData) => unknown
  done?: string
  class?: string
  testid?: string
}

export function Form(props: FormProps) {
  const { submitLabel, submit, done, testid, children } = props
  return (
    <form
      class={props.class ?? "stack gap-16"}
      onSubmit={(event) => {
        event.preventDefault()
        const values = new FormData(event.currentTarget)
        void attempt(() => submit(values), done)
      }}
    >
      {children}
      <div>
        <button type="submit" class="button primary" data-testid={testid}>
          {submitLabel}
        </button>
      </div>
    </form>
  )
}

/** The text of a form's field, "" where it is missing. */
export const textOf = (values: FormData, name: string) => String(values.get(name) ?? "")
