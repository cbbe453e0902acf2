import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "zod"
import { refusalCode, SVC_MODULE } from "../../modules/svc"
import { messageOf } from "../../modules/svc/shared/error-message"
import { expirePrices, type PaidCart, readPaidCarts } from "../cart"
import { sendNothing } from "../catalog"
import type { WebhookLeft } from "../webhooks"
import { disconnect } from "./delete-connection"

/**
 * Body of `POST /admin/svc/uninstall`. Nothing is changed unless `dry_run` is false.
 * `products: "disable"` does nothing but to take every product out of what is sent. `leave_paid_carts` ends the plugin's part
 * in the baskets of `paid_carts`: they keep the price that was paid, and count no more.
 */
export const uninstallInput = z.strictObject({
  dry_run: z.boolean().default(true),
  products: z.enum(["keep", "disable"]).default("keep"),
  leave_paid_carts: z.boolean().default(false),
})

/**
 * `connections`: what is connected, or was until now; a webhook with a `webhook_url` and no `webhook_uid` is one of which nobody
 * knows whether it was registered. `webhooks_left`: those that the service did not remove, and why.
 * `connections_left`: those that are still there, and why. `paid_carts`: open baskets with a show's price that were
 * paid, or whose provider does not say, and have no order; `carts`: the others that are still there. `orders_waiting`:
 * orders that the service was not told of, and is not any more once their connection is gone.
 */
export type Uninstall = {
  dry_run: boolean
  connections: {
    id: string
    name: string
    webhook_uid: string | null
    webhook_url: string | null
  }[]
  webhooks_left: WebhookLeft[]
  connections_left: { id: string; name: string; message: string }[]
  carts: number
  paid_carts: PaidCart[]
  orders_waiting: number
}

/**
 * Leaves the service: removes the webhooks there, disconnects every connection, those of `medusa-config.ts` too, and puts
 * open baskets back to the catalog price. Safe to be repeated: baskets that are just being paid are left for the next time.
 *
 * The tables stay, because the store runs: each of its routes for carts reads them. The command drops them once the store
 * has been started without the plugin.
 */
export async function uninstall(
  container: MedusaContainer,
  { dry_run, products, leave_paid_carts }: z.infer<typeof uninstallInput>,
): Promise<Uninstall> {
  const svc = container.resolve(SVC_MODULE)
  const rows = await svc.listSvcConnections({}, { take: null })
  const webhooks = await svc.listSvcWebhooks({}, { take: null })
  const connections = rows.map(({ id, name }) => {
    const webhook = webhooks.find((row) => row.connection_id === id)
    const { webhook_uid = null, url: webhook_url = null } = webhook ?? {}
    return { id, name, webhook_uid, webhook_url }
  })
  const { waiting: orders_waiting } = await svc.connections.counts.orders()
  const webhooks_left: Uninstall["webhooks_left"] = []
  const connections_left: Uninstall["connections_left"] = []
  if (!dry_run && products === "disable") {
    await sendNothing(container)
  } else if (!dry_run) {
    for (const { id, name } of connections) {
      try {
        const left = await disconnect(container, id)
        if (left) webhooks_left.push(left)
      } catch (error) {
        // Somebody else has just disconnected it.
        if (refusalCode(error) === "connection_not_found") continue
        // What became of the others is known here alone.
        connections_left.push({ id, name, message: messageOf(error) })
      }
    }
    await expirePrices(container)
  }
  const paid_carts = await readPaidCarts(container)
  const carts = (await svc.cart.expiring.countOpen()) - paid_carts.length
  if (!dry_run && leave_paid_carts) {
    // The answer may be lost, and no later one names them.
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    for (const { cart_id, payments } of paid_carts) {
      const by = payments.map(({ id, provider_id }) => `${id} with ${provider_id}`).join(", ")
      logger.warn(`svc: cart ${cart_id} is left as it is: paid (${by}), and never ordered.`)
    }
    await svc.cart.expiring.close(paid_carts.map(({ cart_id }) => cart_id))
  }
  const left = { webhooks_left, connections_left, carts, paid_carts, orders_waiting }
  return { dry_run, connections, ...left }
}
