import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { type Connection, SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { connectionChanged } from "../catalog"
import { resumeWork } from "./resume-work"
import { checkSettings, type UpdateConnectionInput } from "./settings"

type Input = { id: string } & UpdateConnectionInput

/** @throws SvcRefusal `connection_read_only` where the connection is declared in code */
export function assertManagedHere(connection: Connection): void {
  if (connection.managed_by === "environment") {
    throw new SvcRefusal(
      "connection_read_only",
      `"${connection.name}" is declared in medusa-config.ts. Change it there and restart the store.`,
    )
  }
}

const updateConnectionStep = createStep(
  "svc-update-connection",
  async ({ id, ...input }: Input, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const before = await svc.connection(id)
    assertManagedHere(before)
    const { api_token, ...settings } = await checkSettings(container, input)

    if (settings.base_url !== undefined && settings.base_url !== before.base_url && !api_token) {
      throw new SvcRefusal(
        "token_required",
        "The service address changed. Enter the API token again, so that it is not sent to an address it was not meant for.",
      )
    }
    const [twin] = await svc.listSvcConnections({
      page_uid: settings.page_uid ?? before.page_uid,
      base_url: settings.base_url ?? before.base_url,
    })
    if (twin && twin.id !== id) {
      throw new SvcRefusal(
        "connection_exists",
        `The page "${twin.page_uid}" is connected already by "${twin.name}".`,
      )
    }
    await svc.updateSvcConnections({
      id,
      ...settings,
      ...(api_token ? svc.sealToken(id, api_token) : {}),
    })
    // A person acted: whatever waited for a good token or a good address is due again now.
    if (api_token) await resumeWork(container, id)
    const after = await svc.connection(id)
    await connectionChanged(container, before, after)
    return new StepResponse(after, before)
  },
  async (before, { container }) => {
    if (!before) return
    const { created_at, updated_at, deleted_at, ...columns } = before
    await container.resolve(SVC_MODULE).updateSvcConnections(columns)
  },
)

/**
 * Changes a connection. An empty token stays as it is; a new address needs the token again.
 *
 * @throws SvcRefusal `connection_not_found`, `connection_read_only`, `token_required`, `connection_exists`,
 *   `encryption_key_missing`, and those of `checkSettings`
 */
export const updateConnectionWorkflow = createWorkflow(
  "svc-update-connection",
  (input: Input) => new WorkflowResponse(updateConnectionStep(input)),
)
