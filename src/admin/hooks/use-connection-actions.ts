import { toast, usePrompt } from "@medusajs/ui"
import type { ApiError } from "../lib/client"
import type { Connection } from "../lib/types"
import { useCheckConnection, useDeleteConnection } from "./api/connections"
import { useFailureToast } from "./use-failure-toast"
import { useText } from "./use-text"

/** What can be done with a connection in the list and on its page. */
export function useConnectionActions() {
  const { t } = useText()
  const prompt = usePrompt()
  const fail = useFailureToast()
  const check = useCheckConnection()
  const remove = useDeleteConnection()

  return {
    checking: check.isPending,
    check: (connection: Connection) => check.mutate(connection.id, { onError: fail }),
    /** Resolves to whether it was deleted. */
    remove: async (connection: Connection): Promise<boolean> => {
      const confirmed = await prompt({
        title: t("connections.remove.title"),
        description: t("connections.remove.description", { name: connection.name }),
        verificationInstruction: t("connections.remove.instruction"),
        verificationText: connection.name,
        confirmText: t("actions.delete"),
        cancelText: t("actions.cancel"),
      })
      if (!confirmed) return false
      return remove.mutateAsync(connection.id).then(
        () => {
          toast.success(t("connections.toast.deleted"))
          return true
        },
        (error: ApiError) => {
          fail(error)
          return false
        },
      )
    },
  }
}
