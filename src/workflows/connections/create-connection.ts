import { generateEntityId } from "@medusajs/framework/utils"
import {
  createHook,
  createStep,
  createWorkflow,
  StepResponse,
  transform,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SVC_MODULE } from "../../modules/svc"
import { storeHostOf } from "../../modules/svc/shared/copy-of"
import { readInput } from "../shared"
import { wakePulls } from "../shows"
import { checkConnectionStep } from "./check-connection"
import { readConnectionStep } from "./read-connection"
import {
  type CreateConnectionInput,
  checkSettings,
  createConnectionInput,
  hookInput,
  refuseTwin,
} from "./settings"

const createConnectionStep = createStep(
  "svc-create-connection",
  async (input: CreateConnectionInput, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const { api_token, ...settings } = await checkSettings(
      container,
      readInput(createConnectionInput, input),
    )

    await refuseTwin(svc, settings)

    // The id is bound into the encrypted token, so it is made here and both are written at once.
    const id = generateEntityId(undefined, "svccon")
    await svc
      .createSvcConnections({
        id,
        ...settings,
        ...svc.sealToken(id, api_token),
        store_host: storeHostOf(svc.options.backendUrl),
      })
      .catch(async (error: unknown) => {
        // Another request created the same connection first (unique index).
        await refuseTwin(svc, settings)
        throw error
      })
    // A store that can register no webhook has the lists all the same (gap 20).
    await svc.shows.pulls.request("requested", [id])
    wakePulls(container, [id])
    return new StepResponse(id, id)
  },
  async (id, { container }) => {
    // With the rows that it has got meanwhile: products that were marked, and holds.
    if (id) await container.resolve(SVC_MODULE).connections.rows.forget([id])
  },
)

/**
 * Connects the store to a page of the service. The token is encrypted before it is written, and checked at once: a
 * connection is made also where the service does not answer, and says so.
 *
 * A store's own code is the hook `connectionCreated`, with `{connection_id, additional_data}`: where it throws, there is no
 * connection.
 *
 * @throws SvcRefusal `encryption_key_missing`, `connection_exists`, and those of `checkSettings`
 */
export const createConnectionWorkflow = createWorkflow(
  "svc-create-connection",
  (input: CreateConnectionInput) => {
    const id = createConnectionStep(input)
    checkConnectionStep(id)
    const connectionCreated = createHook(
      "connectionCreated",
      transform({ id, input }, ({ id, input }) => hookInput(id, input)),
    )
    return new WorkflowResponse(readConnectionStep(id), { hooks: [connectionCreated] })
  },
)
