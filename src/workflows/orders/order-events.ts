import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { SVC_MODULE } from "../../modules/svc"
import { messageOf } from "../../modules/svc/shared/error-message"

/** Emitted on Medusa's event bus, for a merchant's own code. */
export const ORDER_EVENTS = {
  /** The service has taken the order. */
  reported: "svc.order.reported",
  /** The report failed for good: a person has to look at it. */
  failed: "svc.order.failed",
  /** The order is not reported; `code` says why. */
  excluded: "svc.order.excluded",
} as const

type OrderEvent = {
  /** Id of the attribution, as the admin routes have it. */
  id: string
  order_id: string
  connection_id: string
  campaign_uid: string
  svc_order_no: string
  /** Why, for `failed` and `excluded`. */
  code: string | null
}

/** The data of each event. */
export type OrderEvents = Record<(typeof ORDER_EVENTS)[keyof typeof ORDER_EVENTS], OrderEvent>

/** Rows that another process may be telling of now. */
const SETTLED_MS = 60_000

/** A sweep is telling: while the bus is away, that of each minute would tell the same once more when it is back. */
let isSweeping = false

/**
 * Tells Medusa's bus what became of reports. What is to be told stands in the rows and is taken out of them after it was
 * told: an event may come twice, after a crash, and is not lost. Returns at once, because the bus of several processes waits
 * without an end while Redis is away, and no report may wait with it.
 *
 * @param ids of attributions; null for those that nobody has told of for a minute
 */
export function announceOrders(container: MedusaContainer, ids: string[] | null): void {
  if (ids) return void tell(container, ids)
  if (isSweeping) return
  isSweeping = true
  void tell(container, null).finally(() => {
    isSweeping = false
  })
}

async function tell(container: MedusaContainer, ids: string[] | null): Promise<void> {
  const { attributions } = container.resolve(SVC_MODULE).orders
  try {
    const rows = await attributions.unannounced(ids, SETTLED_MS)
    if (rows.length === 0) return
    await container.resolve(Modules.EVENT_BUS).emit(
      rows.flatMap((row) => {
        const { id, order_id, connection_id, campaign_uid, svc_order_no, reason_code: code } = row
        const data: OrderEvent = {
          id,
          order_id,
          connection_id,
          campaign_uid,
          svc_order_no,
          code,
        }
        return row.announce ? [{ name: ORDER_EVENTS[row.announce], data }] : []
      }),
      {},
    )
    await attributions.markAnnounced(rows)
  } catch (error) {
    const reason = messageOf(error)
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: what became of reports could not be told: ${reason}. It is told within minutes.`)
  }
}
