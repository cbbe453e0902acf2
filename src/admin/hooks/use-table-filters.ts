import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"
import type { ConnectionNames } from "./use-connection-names"
import { type TextKey, useText } from "./use-text"

const helper = createDataTableFilterHelper<Record<string, unknown>>()

/** Filter by one of a few words, several at once. */
export function useChoiceFilter<Value extends string>(
  name: string,
  label: TextKey,
  values: readonly Value[],
  word: (value: Value) => TextKey,
) {
  const { t } = useText()
  return useMemo(
    () =>
      helper.accessor(name, {
        type: "multiselect",
        label: t(label),
        options: values.map((value) => ({ value, label: t(word(value)) })),
      }),
    [t, name, label, values, word],
  )
}

/** Filter by connection, where there is more than one to choose from. */
export function useConnectionFilter({ connections, several }: ConnectionNames) {
  const { t } = useText()
  return useMemo(
    () =>
      several
        ? [
            helper.accessor("connection_id", {
              type: "multiselect",
              label: t("products.columns.connection"),
              options: connections.map(({ id, name }) => ({ value: id, label: name })),
            }),
          ]
        : [],
    [t, connections, several],
  )
}
