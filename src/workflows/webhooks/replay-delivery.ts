import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { readDelivery } from "../../contract"
import { SVC_MODULE } from "../../modules/svc"
import { SvcRefusal } from "../../modules/svc/refusal"
import type SvcModuleService from "../../modules/svc/service"
import type { Delivery } from "../../modules/svc/service"
import { InboxRows } from "../../modules/svc/sql/inbox"
import { workInbox } from "./apply-inbox"
import { judgeDelivery } from "./judge-delivery"

/** @throws SvcRefusal `not_found` */
export async function requireDelivery(svc: SvcModuleService, id: string): Promise<Delivery> {
  const [delivery] = await svc.listSvcDeliveries({ id })
  if (!delivery) throw new SvcRefusal("not_found", `There is no delivery with the id "${id}".`)
  return delivery
}

const replayDeliveryStep = createStep("svc-replay-delivery", async (id: string, { container }) => {
  const svc = container.resolve<SvcModuleService>(SVC_MODULE)
  const delivery = await requireDelivery(svc, id)
  const reading = readDelivery(delivery.payload, delivery.topic)
  if (reading.kind !== "invalid") {
    const { outcome, reason } = judgeDelivery(reading, Date.now())
    await new InboxRows(svc.database()).reopen(id, outcome, reason)
    if (outcome === "received") await workInbox(container)
  }
  return new StepResponse(await requireDelivery(svc, id))
})

/**
 * Reads a kept delivery again and applies it from its row, as after an update of the plugin that knows its topic.
 * Applying what was applied before changes nothing.
 *
 * @throws SvcRefusal `not_found`
 */
export const replayDeliveryWorkflow = createWorkflow(
  "svc-replay-delivery",
  (id: string) => new WorkflowResponse(replayDeliveryStep(id)),
)
