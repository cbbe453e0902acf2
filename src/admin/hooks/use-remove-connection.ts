import { toast } from "@medusajs/ui"
import type { Connection } from "../lib/types"
import { useDeleteConnection } from "./api/connections"
import { useAsk } from "./use-actions"
import { useText } from "./use-text"

/** Deletes a connection once its name was typed. */
export function useRemoveConnection(
  { id, name }: Pick<Connection, "id" | "name">,
  left?: () => void,
) {
  const { t } = useText()
  const ask = useAsk()
  const { mutate } = useDeleteConnection(id, () => {
    toast.success(t("connections.toast.deleted"))
    left?.()
  })
  return async () => {
    const isMeant = await ask("connections.remove", "actions.delete", {
      values: { name },
      verificationInstruction: t("connections.remove.instruction"),
      verificationText: name,
    })
    if (isMeant) mutate()
  }
}
