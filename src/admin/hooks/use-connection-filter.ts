import { createDataTableFilterHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useConnections } from "./api/connections"
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

/** The names of the connections for a column, and a filter where there is more than one to choose from. */
export function useConnectionFilter() {
  const { t } = useText()
  const { data } = useConnections()
  return useMemo(() => {
    const connections = data?.connections ?? []
    return {
      several: connections.length > 1,
      nameOf: (id: string) => connections.find((connection) => connection.id === id)?.name ?? "",
      regionOf: (id: string) => connections.find((connection) => connection.id === id)?.region_id,
      filters:
        connections.length > 1
          ? [
              helper.accessor("connection_id", {
                type: "multiselect",
                label: t("products.columns.connection"),
                options: connections.map(({ id, name }) => ({ value: id, label: name })),
              }),
            ]
          : [],
    }
  }, [data, t])
}
