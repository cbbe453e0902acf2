import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { readDelivery } from "../../contract"
import { type Delivery, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import { classifyDelivery } from "../../modules/svc/webhooks/classify-delivery"
import { workInbox } from "./apply-inbox"

/** @throws SvcRefusal `not_found` */
export async function requireDelivery(svc: SvcModuleService, id: string): Promise<Delivery> {
  const [delivery] = await svc.listSvcDeliveries({ id })
  if (!delivery) throw new SvcRefusal("not_found", `There is no delivery with the id "${id}".`)
  return delivery
}

const replayDeliveryStep = createStep("svc-replay-delivery", async (id: string, { container }) => {
  const svc = container.resolve(SVC_MODULE)
  const delivery = await requireDelivery(svc, id)
  const reading = readDelivery(delivery.payload, delivery.topic)
  if (reading.kind !== "invalid") {
    const { outcome, reason } = classifyDelivery(reading, Date.now())
    await svc.inbox.reopen(id, outcome, reason)
    if (outcome === "received") await workInbox(container)
  }
  return new StepResponse(await requireDelivery(svc, id))
})

/**
 * Reads a stored delivery again and applies it from its row, for example after an update of the plugin that knows its
 * topic. Applying what was applied before changes nothing. No compensation: a change that was merged is as true as
 * before, and later ones may have been merged on top of it.
 *
 * @throws SvcRefusal `not_found`
 */
export const replayDeliveryWorkflow = createWorkflow(
  "svc-replay-delivery",
  (id: string) => new WorkflowResponse(replayDeliveryStep(id)),
)
