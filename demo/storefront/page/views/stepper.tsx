import { Icon } from "./icon"

interface StepperProps {
  /** Said to a screen reader, such as "Quantity of Wool throw". */
  name: string
  value: number
  onChange: (value: number) => void
}

const [LOWEST, HIGHEST] = [1, 99]

/** Minus, a number, plus. */
export function Stepper({ name, value, onChange }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be an inline row
    <div class="stepper row nowrap gap-0" role="group" aria-label={name}>
      <button
        type="button"
        class="icon-button"
        aria-label={`Fewer: ${name}`}
        disabled={value <= LOWEST}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button
        type="button"
        class="icon-button"
        aria-label={`More: ${name}`}
        disabled={value >= HIGHEST}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  )
}
