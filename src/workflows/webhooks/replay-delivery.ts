import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import type { z } from "zod"
import { type Delivery, SVC_MODULE, type SvcModuleService, SvcRefusal } from "../../modules/svc"
import { filtersOf, moment, readInput, someFilters } from "../shared"
import { applyAlone, wakeInbox } from "./apply-inbox"

/** @throws SvcRefusal `not_found` */
export async function requireDelivery(svc: SvcModuleService, id: string): Promise<Delivery> {
  const [delivery] = await svc.listSvcDeliveries({ id })
  if (!delivery) throw new SvcRefusal("not_found", `There is no delivery with the id "${id}".`)
  return delivery
}

const replayDeliveryStep = createStep("svc-replay-delivery", async (id: string, { container }) => {
  const svc = container.resolve(SVC_MODULE)
  const { connection_id: connectionId } = await requireDelivery(svc, id)
  if ((await svc.webhooks.inbox.reopen({ id: [id] }, 1)) > 0) {
    await applyAlone(container, svc, connectionId, id)
  }
  return new StepResponse(await requireDelivery(svc, id))
})

/**
 * Reads a stored delivery again and applies it from its row, for example after an update of the plugin that knows its
 * topic. Applying what was applied before changes nothing. No compensation: a change that
 * was merged is as true as before, and later ones may have been merged on top of it.
 *
 * @throws SvcRefusal `not_found`
 */
export const replayDeliveryWorkflow = createWorkflow(
  "svc-replay-delivery",
  (id: string) => new WorkflowResponse(replayDeliveryStep(id)),
)

/** Body of `POST /admin/svc/deliveries/replay`. */
export const replayDeliveriesInput = someFilters({
  ...filtersOf("connection_id", "topic", "outcome", "event_uid"),
  from: moment.optional(),
  to: moment.optional(),
})
type ReplayDeliveriesInput = z.input<typeof replayDeliveriesInput>

const BATCH = 5_000

const replayDeliveriesStep = createStep(
  "svc-replay-deliveries",
  async (input: ReplayDeliveriesInput, { container }) => {
    const { filters } = readInput(replayDeliveriesInput, input)
    const svc = container.resolve(SVC_MODULE)
    const count = await svc.webhooks.inbox.reopen(filters, BATCH)
    if (count > 0) wakeInbox(container, filters.connection_id ?? "any")
    return new StepResponse(count)
  },
)

/**
 * Makes all stored deliveries that match due again; they are read, judged and applied in the background, each
 * connection on its own. Answers how many. No compensation, for the same reason as a single replay.
 */
export const replayDeliveriesWorkflow = createWorkflow(
  "svc-replay-deliveries",
  (input: ReplayDeliveriesInput) => new WorkflowResponse(replayDeliveriesStep(input)),
)
