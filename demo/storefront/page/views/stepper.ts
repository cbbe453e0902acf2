import { h, icons } from "../dom"

interface StepperOptions {
  /** Said to a screen reader, such as "Quantity of Wool throw". */
  name: string
  /** Keeps the focus on the same button when the stepper is drawn anew. */
  key: string
  value: number
  lowest: number
  highest?: number
  onchange(value: number): void
}

/** Minus, a number, plus. */
export function stepper({ name, key, value, lowest, highest = 99, onchange }: StepperOptions) {
  const step = (by: 1 | -1) =>
    h(
      "button",
      {
        type: "button",
        "aria-label": by > 0 ? `More: ${name}` : `Fewer: ${name}`,
        "data-key": `${key}:${by}`,
        disabled: by > 0 ? value >= highest : value <= lowest,
        onclick: () => onchange(value + by),
      },
      by > 0 ? icons.plus() : icons.minus(),
    )
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": name },
    step(-1),
    h("output", null, value),
    step(1),
  )
}
