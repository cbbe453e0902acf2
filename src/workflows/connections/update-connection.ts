import {
  createStep,
  createWorkflow,
  StepResponse,
  transform,
  WorkflowResponse,
  when,
} from "@medusajs/framework/workflows-sdk"
import {
  type Connection,
  refusalCode,
  SVC_MODULE,
  type SvcModuleService,
  SvcRefusal,
} from "../../modules/svc"
import { NOT_CHECKED } from "../../modules/svc/connections/connection-state"
import { cancelImport, changesCatalog, compareWithCatalog } from "../catalog"
import { checkConnectionStep } from "./check-connection"
import { readConnectionStep } from "./read-connection"
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

/** @throws SvcRefusal `connection_exists` where another connection has the page */
async function refuseTwin(
  svc: SvcModuleService,
  id: string,
  page: Pick<Connection, "page_uid" | "base_url">,
): Promise<void> {
  const [twin] = await svc.listSvcConnections(page)
  if (!twin || twin.id === id) return
  throw new SvcRefusal(
    "connection_exists",
    `The page "${twin.page_uid}" is connected already by "${twin.name}".`,
  )
}

/** What has to follow a change of the row. */
type Changed = { newToken: boolean; newCatalog: boolean; moved: boolean }

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
    const wanted = {
      page_uid: settings.page_uid ?? before.page_uid,
      base_url: settings.base_url ?? before.base_url,
    }
    await refuseTwin(svc, id, wanted)
    await svc
      .updateSvcConnections({
        id,
        ...settings,
        ...(api_token ? { ...svc.sealToken(id, api_token), ...NOT_CHECKED } : {}),
      })
      .catch(async (error: unknown) => {
        // Another request has connected the page meanwhile (unique index).
        await refuseTwin(svc, id, wanted)
        throw error
      })
    const after = await svc.connection(id)
    const changed: Changed = {
      newToken: Boolean(api_token),
      newCatalog: changesCatalog(before, after),
      moved: after.base_url !== before.base_url || after.page_uid !== before.page_uid,
    }
    return new StepResponse(changed, before)
  },
  async (before, { container }) => {
    if (!before) return
    const { created_at, updated_at, deleted_at, ...columns } = before
    await container.resolve(SVC_MODULE).updateSvcConnections(columns)
  },
)

/**
 * A person entered a token: whatever waited for a good one is due now. Not compensated: one attempt too many does no
 * harm.
 */
const resumeWorkStep = createStep("svc-resume-work", async (id: string, { container }) => {
  await resumeWork(container, id, null)
  return new StepResponse(null)
})

/** Has the catalog compared with what the service got: payloads read differently now, or another service reads them. */
const compareCatalogStep = createStep(
  "svc-compare-catalog",
  async ({ id, moved }: { id: string; moved: boolean }, { container }) => {
    const started = await compareWithCatalog(container, id, { moved })
    // An import that was running already is not ours to cancel.
    return new StepResponse<null, string | null>(null, started ? id : null)
  },
  async (id, { container }) => {
    if (!id) return
    try {
      await cancelImport(container, id)
    } catch (error) {
      // It has ended already.
      if (refusalCode(error) !== "sync_not_running") throw error
    }
  },
)

/**
 * Changes a connection. An empty token stays as it is; a new address needs the token again. A new token is checked at
 * once: until the service has answered, nobody may take the connection for a good one. If a later step of the
 * caller's fails, the row is put back and the import that was started is cancelled; products that were sent meanwhile are
 * corrected when the next import or the nightly sweep compares them.
 *
 * @throws SvcRefusal `connection_not_found`, `connection_read_only`, `token_required`, `connection_exists`,
 *   `encryption_key_missing`, and those of `checkSettings`
 */
export const updateConnectionWorkflow = createWorkflow("svc-update-connection", (input: Input) => {
  const changed = updateConnectionStep(input)
  const id = transform({ input }, ({ input }) => input.id)
  when("svc-token-is-new", { changed }, ({ changed }) => changed.newToken).then(() => {
    resumeWorkStep(id)
    checkConnectionStep(id)
  })
  when("svc-catalog-is-new", { changed }, ({ changed }) => changed.newCatalog).then(() => {
    compareCatalogStep(
      transform({ id, changed }, ({ id, changed }) => ({ id, moved: changed.moved })),
    )
  })
  return new WorkflowResponse(readConnectionStep(id))
})
