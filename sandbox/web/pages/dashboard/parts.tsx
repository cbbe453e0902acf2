/** The parts that the sections are put together from. */

import type { ComponentChildren, ComponentProps } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Icon, type IconName } from "../shared/icon"
import { useAction, useDashboard } from "./dashboard"
import { relative } from "./format"
import { href, type Query } from "./router"

type Children = { children?: ComponentChildren }
type ButtonProps = {
  label: string
  run: () => unknown
  sign?: IconName
  tone?: "primary" | "plain" | "quiet" | "danger"
  /** What to say afterwards. */
  done?: string
  disabled?: boolean
  testid?: string
  title?: string
}

/** A button that does something: it shows that it works, and what went wrong is told below. */
export function Button(props: ButtonProps) {
  const { label, run, sign, tone = "plain", done, disabled, testid, title } = props
  const action = useAction()
  return (
    <button
      type="button"
      class={`button ${tone}`}
      disabled={disabled}
      aria-disabled={action.busy}
      data-busy={action.busy || undefined}
      data-testid={testid}
      title={title}
      onClick={() => action.run(run, done)}
    >
      {action.busy ? <Spinner /> : sign && <Icon name={sign} />}
      <span>{label}</span>
    </button>
  )
}

/** A button with nothing but an icon; its name is read out and shown on hover. */
export function IconButton({ label, run, sign, done, testid }: ButtonProps & { sign: IconName }) {
  const action = useAction()
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      data-testid={testid}
      onClick={() => action.run(run, done)}
    >
      {action.busy ? <Spinner /> : <Icon name={sign} />}
    </button>
  )
}

/** For a form's own button, whose work the form begins. */
export function SubmitButton(props: {
  label: string
  busy: boolean
  tone?: string
  testid?: string
}) {
  const { label, busy, tone = "plain", testid } = props
  return (
    <button type="submit" class={`button ${tone}`} aria-disabled={busy} data-testid={testid}>
      {busy ? <Spinner /> : label}
    </button>
  )
}

export const Spinner = () => <span class="spinner" />

/** Asks first, for what cannot be taken back. */
export const confirmed = (question: string, run: () => unknown) => () => confirm(question) && run()

const STATES: Record<string, [tone: string, sign: IconName]> = {
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
  fault: ["violet", "bolt"],
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

type EmptyProps = Children & { sign: IconName; title: string; text: string }

/** What there is to do where there is nothing yet. */
export function Empty({ sign, title, text, children }: EmptyProps) {
  return (
    <div class="empty stack center">
      <span class="sign tone" data-tone="violet">
        <Icon name={sign} />
      </span>
      <h3>{title}</h3>
      <p class="soft">{text}</p>
      {children}
    </div>
  )
}

type HeadProps = Children & { title: string; text?: ComponentChildren; back?: [string, string] }

/** The head of a section, with what can be done there. */
export function Head({ title, text, back, children }: HeadProps) {
  return (
    <header class="stack gap-4">
      {back && (
        <a class="part row gap-4 soft small" href={href([back[0]])}>
          <Icon name="left" />
          {back[1]}
        </a>
      )}
      <div class="head row between">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {text && <p class="soft">{text}</p>}
        </div>
        <div class="row">{children}</div>
      </div>
    </header>
  )
}

/** @param action  beside the title */
export function Card(props: Children & { title?: string; action?: ComponentChildren }) {
  const { title, action, children } = props
  return (
    <section class="card stack gap-16">
      {title && (
        // As high with a button as without, so that nothing jumps when one comes.
        <header class="row between gap-16" style={{ minHeight: action === undefined ? 0 : 40 }}>
          <h2>{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}

type FigureProps = {
  label: string
  value: number | string
  note: string
  to?: string
  testid?: string
}

/** A number one looks for. */
export function Figure({ label, value, note, to, testid }: FigureProps) {
  const Frame = to ? "a" : "div"
  return (
    <Frame class="part figure stack gap-4" href={to}>
      <span class="soft strong">{label}</span>
      <strong class="numeric" data-testid={testid}>
        {value.toLocaleString()}
      </strong>
      <small class="numeric">{note}</small>
    </Frame>
  )
}

/** A number in a table. On a phone each row is a block, and the number is named there. */
export function Numeric({ label, children }: Children & { label: string }) {
  return (
    <td class="numeric" data-label={label}>
      {children}
    </td>
  )
}

/** @param numeric  columns of numbers */
export function Table(props: Children & { columns: string[]; numeric?: string[] }) {
  const { columns, numeric = [], children } = props
  return (
    <div class="panel">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th
                key={name}
                class={`soft text-12 strong ${numeric.includes(name) ? "numeric" : ""}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

export const Facts = ({ children }: Children) => <dl class="facts">{children}</dl>

/** A name and its value; left out where there is none. */
export function Fact({ name, children }: Children & { name: string }) {
  if (children === false || children === null) return null
  return (
    <>
      <dt class="soft">{name}</dt>
      <dd class="wrap">{children}</dd>
    </>
  )
}

export function Ago({ ms }: { ms: number | null }) {
  const { now } = useDashboard()
  if (!ms) return <span class="soft">never</span>
  const iso = new Date(ms).toISOString()
  return (
    <time dateTime={iso} title={iso}>
      {relative(ms, now())}
    </time>
  )
}

/** Something to take along. */
export function Copyable({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <span class="copyable row nowrap gap-4 small">
      <code class="truncate">{text}</code>
      <IconButton
        label={label}
        sign={copied ? "check" : "copy"}
        run={async () => {
          await navigator.clipboard.writeText(text)
          setCopied(true)
        }}
      />
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

/** Request and answer, side by side. */
export function Exchange({
  request,
  answer,
}: {
  request: ComponentChildren
  answer: ComponentChildren
}) {
  return (
    <div class="exchange columns">
      <section class="stack">
        <h3>Request</h3>
        {request}
      </section>
      <section class="stack">
        <h3>Answer</h3>
        {answer}
      </section>
    </div>
  )
}

export function Field(props: Children & { label: string; hint?: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="stack gap-4">
      <span class="strong">{props.label}</span>
      {props.children}
      {props.hint && <small>{props.hint}</small>}
    </label>
  )
}

/** Of each kind of input by itself: their types allow different attributes. */
type InputProps =
  ComponentProps<"input"> extends infer Kind
    ? Kind extends unknown
      ? Omit<Kind, "value" | "ref"> & { value?: string | number | undefined }
      : never
    : never

/** A value that the page sets wins when it changes; what a person types meanwhile stays. */
export function Input({ value = "", ...props }: InputProps) {
  const ref = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (ref.current) ref.current.value = String(value)
  }, [value])
  return <input {...props} ref={ref} />
}

type PriceProps = { currency: string; value: number | undefined; label?: string; testid: string }

/** A price that has to be given, in a field of the name `price`. */
export function PriceInput({ currency, value, label, testid }: PriceProps) {
  const names = { name: "price", "aria-label": label, "data-testid": testid }
  return (
    <span class="price-input">
      <Input {...names} type="number" value={value} min={0} step="0.01" required />
      <small>{currency}</small>
    </span>
  )
}

type SearchProps = {
  value?: string | undefined
  label: string
  placeholder?: string
  testid: string
}
const SEARCH_MS = 200

/** Searches a moment after the last key. */
export function Search(props: SearchProps & { search: (text: string) => void; focused?: boolean }) {
  const { value, label, placeholder = label, testid, search, focused } = props
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `Input` is the control
    <label class="search">
      <Icon name="search" />
      <Input
        type="search"
        value={value}
        placeholder={placeholder}
        aria-label={label}
        data-testid={testid}
        spellcheck={false}
        autoFocus={focused}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(currentTarget.value), SEARCH_MS)
        }}
      />
    </label>
  )
}

type SwitchProps = {
  name: string
  on: boolean
  turn: () => unknown
  testid?: string
  title?: string
}

export function Switch(props: Children & SwitchProps) {
  const { name, on, turn, testid, title, children } = props
  const action = useAction()
  return (
    <label class="switch" data-testid={testid} title={title}>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        aria-label={name}
        onChange={() => action.run(turn)}
      />
      <span class="stack gap-0">{children}</span>
    </label>
  )
}

type SegmentsProps = {
  choices: [value: string, word: string][]
  current: string | undefined
  choose: (value: string) => void
  label: string
}

/** One of a few. */
export function Segments({ choices, current = "", choose, label }: SegmentsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a strip of buttons
    <div class="segments tone row nowrap gap-0" role="group" aria-label={label}>
      {choices.map(([value, word]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === current}
          onClick={() => choose(value)}
        >
          {word}
        </button>
      ))}
    </div>
  )
}

/** More of a list that is longer than what is shown. */
export function More(props: {
  path: string
  query: Query
  shown: number
  count: number
  step: number
}) {
  const { path, query, shown, count, step } = props
  if (shown >= count) return null
  return (
    <div class="row center">
      <a class="button plain" href={href([path], { ...query, show: String(shown + step) })}>
        Show more of {count.toLocaleString()}
      </a>
    </div>
  )
}

/** Opens when it is drawn, and tells when the reader closed it. */
export function Dialog(props: Children & { title: string; close: () => void; class?: string }) {
  const { title, close, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without our doing
    <dialog
      ref={ref}
      class={`modal ${props.class ?? ""}`}
      aria-label={title}
      onClose={close}
      // A click on the backdrop is a click on the dialog itself.
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <header class="row nowrap between">
        <h2>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

type FormDialogProps = Children & {
  title: string
  submitLabel: string
  done?: string
  close: () => void
  submit: (values: FormData) => unknown
}

/** A form in a dialog, which closes when the form was taken. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, done, close, submit, children } = props
  const { busy, error, run } = useAction()
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const values = new FormData(event.currentTarget)
          run(async () => {
            await submit(values)
            close()
          }, done)
        }}
      >
        <div class="fields stack gap-16">{children}</div>
        {error && (
          <p class="form-error note tone" data-tone="red" role="alert">
            <Icon name="alert" />
            {error}
          </p>
        )}
        <footer class="row">
          <button type="button" class="button quiet" onClick={close}>
            Cancel
          </button>
          <SubmitButton label={submitLabel} busy={busy} tone="primary" />
        </footer>
      </form>
    </Dialog>
  )
}

/** The text of a form's field, "" where it is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === "string" ? value : ""
}
