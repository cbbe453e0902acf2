import { toast } from "@medusajs/ui"
import { useCallback } from "react"
import { describeError } from "../components/error-notice"
import { useText } from "./use-text"

/** Shows a failed action in a red toast, with what to do. */
export function useFailureToast() {
  const { t } = useText()
  return useCallback(
    (error: Error) => {
      const { message, fix } = describeError(error, t)
      toast.error(message, { description: fix })
    },
    [t],
  )
}
