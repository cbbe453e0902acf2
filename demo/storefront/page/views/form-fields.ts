import { h } from "../dom"

interface FieldOptions {
  name: string
  label: string
  type?: string
  autocomplete: string
  value?: string | null
  testId?: string
}

/** A labelled input that must be filled, with room for what is wrong beneath it. */
export function field({ name, label, type = "text", autocomplete, value, testId }: FieldOptions) {
  const error = h("span", { class: "field-error", id: `${name}-error` })
  const input = h("input", {
    name,
    type,
    autocomplete,
    value,
    required: true,
    "aria-describedby": `${name}-error`,
    "data-testid": testId ?? `checkout-${name}`,
    oninput: () => {
      if (input.getAttribute("aria-invalid")) {
        input.removeAttribute("aria-invalid")
        error.textContent = ""
      }
    },
  })
  return h("label", { class: "field" }, h("span", null, label), input, error)
}

/** Marks what is missing, in words beside the field, and goes to the first. */
export function valid(form: HTMLFormElement): boolean {
  const wrong = [...form.querySelectorAll<HTMLInputElement>("input[required]")].filter((input) => {
    const ok = input.value.trim() !== "" && input.validity.valid
    const error = document.getElementById(`${input.name}-error`)
    if (!ok) {
      input.setAttribute("aria-invalid", "true")
    }
    if (error) {
      error.textContent = ok
        ? ""
        : input.value.trim() && input.type === "email"
          ? "This does not look like an email address."
          : "Please fill this in."
    }
    return !ok
  })
  wrong[0]?.focus()
  return wrong.length === 0
}
