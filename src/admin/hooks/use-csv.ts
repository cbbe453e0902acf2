import { toast } from "@medusajs/ui"
import { useState } from "react"
import { fetchCsv, type Query } from "../lib/client"
import { useFailureToast } from "./use-failure-toast"
import { useText } from "./use-text"

/** The button of a table that saves all its rows, as they are filtered and sorted, as a CSV file. */
export function useCsv(path: "/orders" | "/campaigns" | "/results", query: Query) {
  const { t } = useText()
  const fail = useFailureToast()
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      saveAs(await fetchCsv(path, { ...query, limit: undefined, offset: undefined }), path.slice(1))
      toast.success(t("actions.csvSaved"))
    } catch (error) {
      fail(error as Error)
    } finally {
      setSaving(false)
    }
  }
  return { label: t("actions.csv"), disabled: isSaving, onClick: () => void save() }
}

function saveAs(file: Blob, name: string) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = `${name}.csv`
  link.click()
  // Some browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
