import type { MedusaContainer } from "@medusajs/framework/types"
import {
  createStep,
  createWorkflow,
  StepResponse,
  WorkflowResponse,
} from "@medusajs/framework/workflows-sdk"
import { SvcError } from "../../client"
import { SVC_MODULE } from "../../modules/svc"
import { type Reason, reasonOf } from "../../modules/svc/shared/reason"
import { resumeWork } from "./resume-work"

const CHECK_TIMEOUT_MS = 8_000

/** What a live check found. `duration_ms` is the service's answer time. */
export type ConnectionCheck = {
  ok: boolean
  reachable: boolean
  token_accepted: boolean
  duration_ms: number
  error: Reason | null
}

/** Nothing to compensate: the call changes nothing at the service, and what it found out stays true. */
export const checkConnectionStep = createStep(
  "svc-check-connection",
  async (id: string, { container }) => {
    const svc = container.resolve(SVC_MODULE)
    const connection = await svc.connection(id)
    const asked = svc.asked(connection)
    const started = Date.now()
    let error: SvcError | null = null
    try {
      // The one call that the interface gives a token for and that changes nothing (§5 rule 1).
      await svc.callNow(connection, (client) =>
        client.listWebhooks({ timeoutMs: CHECK_TIMEOUT_MS }),
      )
      await resumeWork(container, id, asked)
    } catch (caught) {
      if (!(caught instanceof SvcError)) throw caught
      error = caught
    }
    const check: ConnectionCheck = {
      ok: error === null,
      reachable: error === null || error.status !== null,
      // A service that fails or redirects us has not looked at the token.
      token_accepted: error === null || (error.status !== null && error.failure === "dead"),
      duration_ms: Date.now() - started,
      error: error && reasonOf(error),
    }
    await svc.connections.recordCheck(id, asked, {
      at: new Date(started).toISOString(),
      ok: check.ok,
      duration_ms: check.duration_ms,
      reason: check.error,
    })
    return new StepResponse(check)
  },
)

/**
 * Asks the service now, with the stored token, and records the outcome on the connection.
 */
export const checkConnectionWorkflow = createWorkflow("svc-check-connection", (id: string) => {
  return new WorkflowResponse(checkConnectionStep(id))
})

/** Checks what nobody has asked yet: connections that are declared in code, or older than the check itself. */
export async function checkUnchecked(container: MedusaContainer): Promise<void> {
  const svc = container.resolve(SVC_MODULE)
  const unchecked = await svc.listSvcConnections(
    { token_accepted_at: null, last_check: null },
    { select: ["id"], take: null },
  )
  await Promise.all(
    unchecked.map(({ id }) => checkConnectionWorkflow(container).run({ input: id })),
  )
}
