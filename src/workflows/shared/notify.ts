import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

/** What a person who did not look has to hear. */
export type News = {
  /** What it is about: news of the same key are told once. */
  key: string
  title: string
  description: string
}

/**
 * Tells people by Medusa's notification module: the bell in the admin, and whatever else the store has for the channel
 * `feed`. Never throws: the rows and the health document say the same.
 */
export async function notify(container: MedusaContainer, news: News[]): Promise<void> {
  if (news.length === 0) return
  try {
    await container.resolve(Modules.NOTIFICATION).createNotifications(
      news.map(({ key, title, description }) => ({
        to: "",
        channel: "feed",
        template: "admin-ui",
        data: { title, description },
        idempotency_key: `svc:${key}`,
      })),
    )
  } catch (error) {
    // A store without a provider for the channel, or another process that told the same at the same moment.
    const reason = messageOf(error)
    container.resolve(ContainerRegistrationKeys.LOGGER).debug(`svc: nobody was notified: ${reason}`)
  }
}
