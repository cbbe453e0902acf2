import { Combobox, Form } from "@medusajs/dashboard/components"
import { Input, Select, Skeleton, Switch } from "@medusajs/ui"
import type { ComponentProps, ReactElement, ReactNode } from "react"
import type {
  Control,
  ControllerProps,
  ControllerRenderProps,
  FieldPath,
  FieldValues,
} from "react-hook-form"
import { type TextKey, useText } from "../hooks/use-text"
import { ErrorNotice } from "./error-notice"

type Option = { id: string; name: string }

/** Texts that have a hint beside them, under the same name and `Hint`. */
type Hinted = {
  [Key in TextKey]: `${Key}Hint` extends TextKey ? Key : never
}[TextKey]

/** A field in short: its kind, where its texts are, where it reads and writes. */
export type Field<Values extends FieldValues> = {
  name: FieldPath<Values>
  rules?: ControllerProps<Values>["rules"]
  required?: boolean
  /** Below the field. */
  below?: ReactNode
} & ({ texts: Hinted } | { label: string; hint?: string }) &
  (
    | ({ kind: "text" } & Pick<ComponentProps<typeof Input>, "type" | "inputMode" | "placeholder">)
    /** `values`: what off and on are, where they are no booleans. */
    | { kind: "switch"; values?: readonly [string, string] }
    /** `many`: any number of what there is. `source`: where options come from that are not there yet. */
    | {
        kind: "choice" | "many"
        options: Option[] | undefined
        source?: { error: Error | null; refetch: () => unknown }
      }
  )

type FieldsProps<Values extends FieldValues> = {
  control: Control<Values>
  of: Field<Values>[]
}

export function Fields<Values extends FieldValues>({ control, of }: FieldsProps<Values>) {
  const { t } = useText()
  return of.map((field) => {
    const label = "texts" in field ? t(field.texts) : field.label
    const hint = "texts" in field ? t(`${field.texts}Hint` as TextKey) : field.hint
    const missing = field.required && t("connections.validation.required", { field: label })
    return (
      <Form.Field
        key={field.name}
        control={control}
        name={field.name}
        rules={{ ...field.rules, ...(missing ? { required: missing } : {}) }}
        render={({ field: input }) => (
          <Form.Item>
            {field.kind === "switch" ? (
              <div className="flex items-center justify-between gap-x-4">
                <Form.Label>{label}</Form.Label>
                <InputOf field={field} input={input} />
              </div>
            ) : (
              <>
                <Form.Label>{label}</Form.Label>
                <InputOf field={field} input={input} />
              </>
            )}
            {hint && <Form.Hint>{hint}</Form.Hint>}
            <Form.ErrorMessage />
            {field.below}
          </Form.Item>
        )}
      />
    )
  })
}

type InputOfProps<Values extends FieldValues> = {
  field: Field<Values>
  input: ControllerRenderProps<Values>
}

/** A picker is there only when its options are: before that its value would look empty. */
function InputOf<Values extends FieldValues>({ field, input }: InputOfProps<Values>): ReactElement {
  const { t } = useText()
  const { ref, value, onChange, ...props } = input
  const missing =
    "source" in field && field.source?.error ? (
      <ErrorNotice error={field.source.error} onRetry={field.source.refetch} />
    ) : (
      <Skeleton className="h-8 w-full" />
    )
  switch (field.kind) {
    case "text":
      return (
        <Form.Control>
          <Input
            {...input}
            type={field.type}
            inputMode={field.inputMode}
            placeholder={field.placeholder}
            autoComplete={field.type === "password" ? "new-password" : "off"}
            spellCheck={false}
          />
        </Form.Control>
      )
    case "switch": {
      const [off, on] = field.values ?? [false, true]
      return (
        <Form.Control>
          <Switch
            dir="ltr"
            className="rtl:rotate-180"
            {...props}
            ref={ref}
            checked={value === on}
            onCheckedChange={(checked) => onChange(checked ? on : off)}
          />
        </Form.Control>
      )
    }
    case "choice":
      if (!field.options) return missing
      return (
        <Select
          {...props}
          value={value}
          onValueChange={onChange}
          disabled={field.options.length === 0}
        >
          <Form.Control>
            <Select.Trigger ref={ref} className="[&>span]:truncate [&>span]:text-start">
              <Select.Value placeholder={t("connections.fields.choose")} />
            </Select.Trigger>
          </Form.Control>
          <Select.Content>
            {field.options.map(({ id, name }) => (
              <Select.Item key={id} value={id}>
                {name}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )
    case "many":
      if (!field.options) return missing
      return (
        <Form.Control>
          <Combobox<string[]>
            {...props}
            ref={ref}
            displayMode="chips"
            value={value}
            onChange={(chosen) => onChange(chosen ?? [])}
            options={field.options.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Form.Control>
      )
  }
}
