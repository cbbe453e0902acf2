import { Combobox, Form } from "@medusajs/dashboard/components"
import { Input, Select, Skeleton, Switch } from "@medusajs/ui"
import type { ComponentProps, ReactElement, ReactNode } from "react"
import type {
  Control,
  ControllerProps,
  ControllerRenderProps,
  FieldPath,
  FieldValues,
  PathValue,
} from "react-hook-form"
import { useText } from "../hooks/use-text"
import { ErrorNotice } from "./error-notice"

type FieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = {
  control: Control<Values>
  name: Name
  label: string
  hint?: string
  rules?: ControllerProps<Values, Name>["rules"]
  /** Below the field. */
  children?: ReactNode
}

type FrameProps<Values extends FieldValues, Name extends FieldPath<Values>> = FieldProps<
  Values,
  Name
> & {
  input: (field: ControllerRenderProps<Values, Name>) => ReactElement
}

function FieldFrame<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  rules,
  children,
  input,
}: FrameProps<Values, Name>) {
  return (
    <Form.Field
      control={control}
      name={name}
      rules={rules}
      render={({ field }) => (
        <Form.Item>
          <Form.Label>{label}</Form.Label>
          {input(field)}
          {hint && <Form.Hint>{hint}</Form.Hint>}
          <Form.ErrorMessage />
          {children}
        </Form.Item>
      )}
    />
  )
}

export function TextField<Values extends FieldValues, Name extends FieldPath<Values>>({
  type,
  inputMode,
  placeholder,
  autoComplete = "off",
  ...frame
}: FieldProps<Values, Name> &
  Pick<ComponentProps<typeof Input>, "type" | "inputMode" | "autoComplete" | "placeholder">) {
  return (
    <FieldFrame
      {...frame}
      input={(field) => (
        <Form.Control>
          <Input
            {...field}
            type={type}
            inputMode={inputMode}
            placeholder={placeholder}
            autoComplete={autoComplete}
            spellCheck={false}
          />
        </Form.Control>
      )}
    />
  )
}

export function SwitchField<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  label,
  hint,
  values: [off, on] = [false, true],
}: FieldProps<Values, Name> & {
  /** What off and on are, where they are no booleans. */
  values?: [PathValue<Values, Name> | boolean, PathValue<Values, Name> | boolean]
}) {
  return (
    <Form.Field
      control={control}
      name={name}
      render={({ field: { value, onChange, ...props } }) => (
        <Form.Item>
          <div className="flex items-center justify-between gap-x-4">
            <Form.Label>{label}</Form.Label>
            <Form.Control>
              <Switch
                dir="ltr"
                className="rtl:rotate-180"
                {...props}
                checked={value === on}
                onCheckedChange={(checked) => onChange(checked ? on : off)}
              />
            </Form.Control>
          </div>
          {hint && <Form.Hint>{hint}</Form.Hint>}
        </Form.Item>
      )}
    />
  )
}

type Option = { id: string; name: string; disabled?: boolean }

/** The picker is rendered only when its options are loaded; before that its value would look empty. */
export function ChoiceField<Values extends FieldValues, Name extends FieldPath<Values>>({
  source,
  options,
  ...frame
}: FieldProps<Values, Name> & {
  /** Where options come from that are not there yet. */
  source?: { error: Error | null; refetch: () => unknown }
  options: Option[] | undefined
}) {
  const { t } = useText()
  return (
    <FieldFrame
      {...frame}
      input={({ ref, onChange, ...field }) =>
        options ? (
          <Select {...field} onValueChange={onChange} disabled={options.length === 0}>
            <Form.Control>
              <Select.Trigger ref={ref} className="[&>span]:truncate [&>span]:text-start">
                <Select.Value placeholder={t("connections.fields.choose")} />
              </Select.Trigger>
            </Form.Control>
            <Select.Content>
              {options.map(({ id, name, disabled }) => (
                // What was chosen once can stay chosen; the form says what is wrong with it.
                <Select.Item
                  key={id}
                  value={id}
                  disabled={disabled && id !== field.value}
                  className="data-[disabled]:text-ui-fg-disabled data-[disabled]:cursor-not-allowed"
                >
                  {name}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        ) : source?.error ? (
          <ErrorNotice error={source.error} onRetry={source.refetch} />
        ) : (
          <Skeleton className="h-8 w-full" />
        )
      }
    />
  )
}

/** Any number of what there is. */
export function ManyField<Values extends FieldValues, Name extends FieldPath<Values>>({
  options,
  ...frame
}: FieldProps<Values, Name> & { options: Option[] | undefined }) {
  return (
    <FieldFrame
      {...frame}
      input={({ value, onChange, ...field }) =>
        options ? (
          <Form.Control>
            <Combobox<string[]>
              {...field}
              displayMode="chips"
              value={value}
              onChange={(chosen) => onChange(chosen ?? [])}
              options={options.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </Form.Control>
        ) : (
          <Skeleton className="h-8 w-full" />
        )
      }
    />
  )
}
