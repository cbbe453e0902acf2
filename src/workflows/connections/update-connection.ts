import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createHook,
  createStep,
  createWorkflow,
  StepResponse,
  transform,
  WorkflowResponse,
  when,
} from "@medusajs/framework/workflows-sdk"
import { isObject } from "../../contract"
import {
  assertManagedHere,
  type Connection,
  readLeftPage,
  refusalCode,
  refusalOf,
  SVC_MODULE,
} from "../../modules/svc"
import { type LeftPage, NOT_CHECKED } from "../../modules/svc/connections"
import { storeHostOf } from "../../modules/svc/shared/copy-of"
import { catalogSettings, changeImport, changesCatalog, compareWithCatalog } from "../catalog"
import { alone, readInput } from "../shared"
import { leavePage, type WebhookLeft } from "../webhooks"
import { checkConnectionStep, speaksForItself } from "./check-connection"
import { readConnectionStep } from "./read-connection"
import { resumeWork } from "./resume-work"
import {
  checkSettings,
  hookInput,
  refuseTwin,
  type UpdateConnectionInput,
  updateConnectionInput,
} from "./settings"

type Input = { id: string } & UpdateConnectionInput

type Updated = Connection & { webhook_left: WebhookLeft | null }

/** What has to follow a change of the row. */
type Changed = {
  unproven: boolean
  newCatalog: boolean
  moved: boolean
  /** A page is to be left. */
  leaves: boolean
}

const updateConnectionStep = createStep(
  "svc-update-connection",
  async ({ id, ...input }: Input, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const before = await svc.connection(id)
    assertManagedHere(before)
    const { api_token, catalog, report_settings, ...settings } = await checkSettings(
      container,
      readInput(updateConnectionInput, input),
    )

    if (settings.base_url !== undefined && settings.base_url !== before.base_url && !api_token) {
      throw refusalOf("token_required")
    }
    const wanted = {
      page_uid: settings.page_uid ?? before.page_uid,
      base_url: settings.base_url ?? before.base_url,
      sales_channel_id: settings.sales_channel_id ?? before.sales_channel_id,
    }
    await refuseTwin(svc, wanted, id)
    const moved = wanted.base_url !== before.base_url || wanted.page_uid !== before.page_uid
    // A token is a page's own: of another page nothing is known yet.
    const unproven = moved || Boolean(api_token)
    // A token belongs to a page: with the same one, a mistyped page was corrected.
    const leaves =
      wanted.base_url !== before.base_url ||
      (wanted.page_uid !== before.page_uid && Boolean(api_token))
    const columns: Partial<Connection> = {
      ...settings,
      ...(catalog === null ? { catalog } : {}),
      ...(report_settings === null ? { report_settings } : {}),
      ...(api_token ? svc.sealToken(id, api_token) : {}),
      ...(unproven ? NOT_CHECKED : {}),
      // Whoever enters the token here says that this is the store, and no copy of one; also where it has no address.
      ...(api_token ? { store_host: storeHostOf(svc.options.backendUrl) } : {}),
      // In the same statement, so that others finish where this process is killed before it has left the page. Where an earlier
      // page is not left yet, that one stays noted: the webhook is there, and what came after it is forgotten with it.
      ...(leaves ? { left_page: before.left_page ?? leftPage(before) } : {}),
    }
    // One person's change of a setting must not put back another's of the setting beside it.
    const merged = {
      ...(catalog ? { catalog: { base: catalogSettings.parse({}), changes: catalog } } : {}),
      ...(report_settings ? { report_settings: { base: {}, changes: report_settings } } : {}),
    }
    await svc.connections.rows.write(id, columns, merged).catch(async (error: unknown) => {
      // Another request has connected the page meanwhile (unique index).
      await refuseTwin(svc, wanted, id)
      throw error
    })
    const after = await svc.connection(id)
    const changed: Changed = {
      unproven,
      newCatalog: changesCatalog(before, after),
      moved,
      leaves: readLeftPage(after) !== null,
    }
    const written = Object.keys({ ...columns, ...merged }) as (keyof Connection)[]
    return new StepResponse(changed, { before, after, written })
  },
  async (undo, { container }) => {
    if (!undo) return
    const { before, after, written } = undo
    const { connections } = container.resolve(SVC_MODULE)
    const now = await connections.rows.find(before.id)
    if (!now) return
    // What was found of our token goes with it; what somebody else has saved meanwhile stays.
    const isOurs = TOKEN_OF.every((name) => isSame(now[name], after[name]))
    const columns = written.map((name) => {
      const isFound = isOurs && name in NOT_CHECKED
      return [name, isFound ? before[name] : putBack(before[name], after[name], now[name])]
    })
    await connections.rows.write(before.id, Object.fromEntries(columns))
  },
)

const TOKEN_OF = ["page_uid", "base_url", "api_token_fingerprint"] as const

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** As it was before, where it is still as we wrote it; of settings each by itself. */
function putBack(before: unknown, after: unknown, now: unknown): unknown {
  if (isSame(now, after)) return before
  if (!isObject(now) || !isObject(after) || now instanceof Date) return now
  const was = isObject(before) ? before : {}
  const settings = Object.entries(now).map(([key, value]) => [
    key,
    isSame(value, after[key]) ? was[key] : value,
  ])
  return Object.fromEntries(settings)
}

/**
 * A person entered a token or another page: whatever waited for a good one is due now. Not compensated: one attempt too many does no
 * harm.
 */
const resumeWorkStep = createStep("svc-resume-work", async (id: string, { container }) => {
  await resumeWork(container, id, null)
  return new StepResponse(null)
})

const leftPage = ({ base_url, api_token, api_token_fingerprint }: Connection): LeftPage => ({
  base_url,
  api_token,
  api_token_fingerprint,
  at: new Date().toISOString(),
})

/** No compensation: what was forgotten is read again from the lists of whichever page it is. */
const leavePageStep = createStep("svc-leave-page", async (id: string, { container }) => {
  return new StepResponse(await leavePage(container, id))
})

/** Longer than a change of a connection takes from its row to the leaving of its page, which answers what was not removed. */
const LEAVING_MS = 2 * 60_000

/** For the start and the job: leaves pages whose process was killed before it had left them. */
export async function leavePages(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const connections = await svc.listSvcConnections({}, { take: null })
  const due = connections.filter(speaksForItself(svc)).filter((connection) => {
    const left = readLeftPage(connection)
    // One from the future was written by a process whose clock was wrong.
    return left && Math.abs(Date.now() - Date.parse(left.at)) > LEAVING_MS
  })
  for (const { id } of due) {
    await alone(container, "the leaving of a page", () => leavePage(container, id))
  }
}

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
      await changeImport(container, id, "cancel")
    } catch (error) {
      // It has ended already.
      if (refusalCode(error) !== "sync_not_running") throw error
    }
  },
)

/**
 * Changes a connection. An empty token stays as it is; a new address needs the token again. A new token, or a token at
 * another page, is checked at once: until the service has answered, nobody may take the connection for a good one. If a later step of the
 * caller's fails, the row is put back and the import that was started is cancelled; products that were sent meanwhile are
 * corrected when the next import or the nightly sweep compares them. `webhook_left` is what the service did not remove of the
 * page that it left. A store's own code is the hook `connectionUpdated`, with
 * `{connection_id, additional_data}`.
 *
 * @throws SvcRefusal `connection_not_found`, `connection_read_only`, `token_required`, `connection_exists`,
 *   `encryption_key_missing`, and those of `checkSettings`
 */
export const updateConnectionWorkflow = createWorkflow("svc-update-connection", (input: Input) => {
  const changed = updateConnectionStep(input)
  const id = transform({ input }, ({ input }) => input.id)
  // Before the old page is left: its webhook and shows cannot be put back.
  const connectionUpdated = createHook(
    "connectionUpdated",
    transform({ input }, ({ input }) => hookInput(input.id, input)),
  )
  when("svc-token-is-unproven", { changed }, ({ changed }) => changed.unproven).then(() => {
    resumeWorkStep(id)
    checkConnectionStep(id)
  })
  const left = when(
    "svc-connection-leaves-page",
    { changed },
    ({ changed }) => changed.leaves,
  ).then(() => leavePageStep(id))
  when("svc-catalog-is-new", { changed }, ({ changed }) => changed.newCatalog).then(() => {
    compareCatalogStep(
      transform({ id, changed }, ({ id, changed }) => ({ id, moved: changed.moved })),
    )
  })
  const connection = readConnectionStep(id)
  return new WorkflowResponse(
    transform(
      { connection, left },
      ({ connection, left }): Updated => ({
        ...connection,
        webhook_left: left ?? null,
      }),
    ),
    { hooks: [connectionUpdated] },
  )
})
