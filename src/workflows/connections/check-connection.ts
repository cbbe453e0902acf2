import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SvcError } from "../../client"
import {
  type Connection,
  readLastCheck,
  SVC_MODULE,
  type SvcModuleService,
} from "../../modules/svc"
import { askedOf } from "../../modules/svc/connections"
import { copyOf } from "../../modules/svc/shared/copy-of"
import { readHeardConnections } from "../webhooks"
import { CHECK_TIMEOUT_MS, type ConnectionCheck, checkOf } from "./check-result"
import { resumeWork } from "./resume-work"

export type { ConnectionCheck } from "./check-result"

/** Nothing to compensate: the call changes nothing at the service, and what it found out stays true. */
export const checkConnectionStep = createStep(
  "svc-check-connection",
  async (id: string, { container }) => {
    return new StepResponse(await ask(container, id, () => true))
  },
)

/**
 * Asks the service with the stored token, and records the outcome on the connection.
 *
 * @param resumes whether everything that waits for the connection, as it was before, is due once the service has answered.
 *   That ends each row's own waiting and the 24 hours after which it is given up, so a look that nobody asked for does it only
 *   where a refused token was what they waited for.
 */
async function ask(
  container: MedusaContainer,
  id: string,
  resumes: (before: Pick<Connection, "token_refused">) => boolean,
): Promise<ConnectionCheck> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(id)
  const asked = askedOf(connection)
  const started = Date.now()
  let error: SvcError | null = null
  try {
    // The interface gives a token for it, and it changes nothing (§5 rule 1).
    await svc.connections.calls.now(connection, "webhooks", (client) =>
      client.checkService({ timeoutMs: CHECK_TIMEOUT_MS }),
    )
    if (resumes(connection)) await resumeWork(container, id, asked)
  } catch (caught) {
    if (!(caught instanceof SvcError)) throw caught
    error = caught
  }
  const check = checkOf(error, started)
  // Nobody was asked: it is declared in another process, whose look counts. Or nobody heard the answer.
  if (error?.isHeldBack || error?.stoodStill) return check
  await svc.connections.rows.recordCheck(id, asked, {
    at: new Date(started).toISOString(),
    ok: check.ok,
    duration_ms: check.duration_ms,
    reason: check.error,
  })
  return check
}

/**
 * Asks the service now, with the stored token, and records the outcome on the connection.
 */
export const checkConnectionWorkflow = createWorkflow("svc-check-connection", (id: string) => {
  return new WorkflowResponse(checkConnectionStep(id))
})

/** Nobody asked for these looks: a copy of another store makes none, nor does a process that has no token for it. */
export const speaksForItself = (svc: SvcModuleService) => (connection: Connection) =>
  copyOf(connection, svc.options.backendUrl) === null &&
  !svc.connections.calls.isDeclaredElsewhere(connection)

/** How old the last look may be where no other work would notice that the service is gone. */
const UNHEARD_MS = 5 * 60_000

/**
 * For the start and the job: looks at connections without a webhook of ours that the service knows. All others are heard of each five
 * minutes, when the state of their subscriber is read; of these a dead service would be noticed only by the next order or
 * product. One whose token was refused is asked as well: nothing else would notice that it is accepted again.
 */
export async function checkUnheard(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const [connections, heard] = await Promise.all([
    svc.listSvcConnections({ status: ["unchecked", "active", "broken"] }, { take: null }),
    readHeardConnections(svc),
  ])
  const due = connections.filter(speaksForItself(svc)).filter((connection) => {
    const at = readLastCheck(connection)?.at
    // One from the future was written by a process whose clock was wrong.
    return !heard.has(connection.id) && (!at || Math.abs(Date.now() - Date.parse(at)) > UNHEARD_MS)
  })
  await Promise.all(due.map(({ id }) => ask(container, id, ({ token_refused }) => token_refused)))
}
