import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE } from "../../modules/svc"

/** The connection as its row is after the steps before. */
export const readConnectionStep = createStep(
  "svc-read-connection",
  async (id: string, { container }) =>
    new StepResponse(await container.resolve(SVC_MODULE).connection(id)),
)
