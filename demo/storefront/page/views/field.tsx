interface FieldProps {
  name: string
  label: string
  autoComplete: string
  value?: string | null | undefined
  /** What is wrong with it, in words. */
  error?: string | undefined
  onInput: (name: string) => void
}

/** A labelled input that must be filled, with room for what is wrong beneath it. */
export function Field({ name, label, autoComplete, value, error, onInput }: FieldProps) {
  const input = {
    id: `field-${name}`,
    name,
    autoComplete,
    // Not `value`: drawing the form again must not undo what is being typed.
    defaultValue: value ?? "",
    required: true,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": `${name}-error`,
    "data-testid": `checkout-${name}`,
    onInput: () => error && onInput(name),
  }
  return (
    <label class="field stack gap-4" for={input.id}>
      <span class="small strong">{label}</span>
      {name === "email" ? <input type="email" {...input} /> : <input {...input} />}
      <span class="reduced small" id={`${name}-error`}>
        {error}
      </span>
    </label>
  )
}

/** What is missing or wrong, by name; goes to the first. */
export function faultsOf(form: HTMLFormElement): Record<string, string> {
  const wrong = [...form.querySelectorAll<HTMLInputElement>("input[required]")].filter(
    (input) => input.value.trim() === "" || !input.validity.valid,
  )
  wrong[0]?.focus()
  return Object.fromEntries(
    wrong.map(({ name, type, value }) => [
      name,
      value.trim() && type === "email"
        ? "This does not look like an email address."
        : "Please fill this in.",
    ]),
  )
}
