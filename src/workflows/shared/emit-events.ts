import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

/**
 * Tells a merchant's own code, on Medusa's event bus. Best effort: never throws, because rows are the truth and neither a
 * sale nor what is sent must wait for a bus that is away; a failure is a line in the log.
 *
 * @param what it is about, for that line
 * @param options `internal` keeps Medusa from writing each event to the log
 */
export async function emitEvents(
  container: MedusaContainer,
  what: string,
  events: readonly { name: string; data: unknown }[],
  options: { internal?: boolean } = {},
): Promise<void> {
  if (events.length === 0) return
  try {
    await container.resolve(Modules.EVENT_BUS).emit<unknown>([...events], options)
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: ${what} could not be announced: ${reason}`)
  }
}
