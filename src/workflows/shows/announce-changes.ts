import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { EventWrite, ProductWrite } from "../../modules/svc/shows/read-write"

/**
 * Emitted on Medusa's event bus after the projection changed: `{connection_id, event_id, campaign_uid}`.
 * Best effort; rows are the truth.
 */
export const LIVE_EVENT_CHANGED = "svc.live_event.changed"

/** The same for a product of a campaign: `{connection_id, campaign_uid, external_id}`. */
export const EVENT_PRODUCT_CHANGED = "svc.event_product.changed"

/** A change of the projection, as it is emitted. */
export type Announcement = { name: string; data: Record<string, unknown> }

export const eventChanged = (connectionId: string, write: EventWrite): Announcement => ({
  name: LIVE_EVENT_CHANGED,
  data: {
    connection_id: connectionId,
    event_id: write.eventId,
    campaign_uid: write.content.campaign_uid,
  },
})

export const productChanged = (connectionId: string, write: ProductWrite): Announcement => ({
  name: EVENT_PRODUCT_CHANGED,
  data: {
    connection_id: connectionId,
    campaign_uid: write.campaignUid,
    external_id: write.content.external_id,
  },
})

/** To be called when the rows are committed. Never throws: whoever misses it is only late for a short time. */
export async function announceChanges(
  container: MedusaContainer,
  changes: Announcement[],
): Promise<void> {
  if (changes.length === 0) return
  try {
    await container.resolve(Modules.EVENT_BUS).emit(changes, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: changes of ${changes.length} records could not be announced: ${reason}`)
  }
}
