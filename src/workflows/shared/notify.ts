import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

/** What a person who did not look has to hear. */
export type News = {
  /** What it is about: news of the same key are told once. */
  key: string
  title: string
  description: string
  /**
   * Medusa knows no language of an admin user: the bell shows the English sentences. Whoever sends them elsewhere can say the
   * same in another language by these.
   */
  code: string
  params: Record<string, unknown>
  connection_id: string | null
}

/**
 * Tells people by Medusa's notification module: the bell in the admin, and whatever else the store has for the channel
 * `feed`. Never throws: the rows and the health document say the same.
 */
export async function notify(container: MedusaContainer, news: News[]): Promise<void> {
  if (news.length === 0) return
  // Two problems of one key in one call would be refused by Medusa's unique index, and with them all others.
  const once = new Map(news.map(({ key, ...one }) => [`svc:${key}`, one]))
  try {
    // One that a provider failed to send would be sent again at each call, because Medusa cannot mark it as sent.
    const { data: known } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "notification",
      fields: ["id", "idempotency_key"],
      filters: { idempotency_key: [...once.keys()] },
    })
    for (const { idempotency_key } of known) if (idempotency_key) once.delete(idempotency_key)
    if (once.size === 0) return
    await container.resolve(Modules.NOTIFICATION).createNotifications(
      [...once].map(([idempotency_key, data]) => ({
        to: "",
        channel: "feed",
        template: "admin-ui",
        data,
        idempotency_key,
      })),
    )
  } catch (error) {
    // A store without a provider for the channel, or another process that told the same at the same moment.
    const reason = messageOf(error)
    container.resolve(ContainerRegistrationKeys.LOGGER).debug(`svc: nobody was notified: ${reason}`)
  }
}
