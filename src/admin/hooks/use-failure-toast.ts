import { toast } from "@medusajs/ui"
import { useCallback } from "react"
import { useDescribeError } from "../components/error-notice"

/** Shows a failed action in a red toast, with what to do. */
export function useFailureToast() {
  const describe = useDescribeError()
  return useCallback(
    (error: Error) => {
      const { message, fix } = describe(error)
      toast.error(message, { description: fix })
    },
    [describe],
  )
}
