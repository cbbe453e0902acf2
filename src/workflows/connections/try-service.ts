import type { MedusaContainer } from "@medusajs/framework/types"
import { z } from "zod"
import { checkServiceUrl, SvcError } from "../../client"
import { SVC_MODULE, SvcRefusal } from "../../modules/svc"
import { CHECK_TIMEOUT_MS, type ConnectionCheck, checkOf, checkOfUnsaved } from "./check-result"
import { createConnectionInput } from "./settings"

/** Body of `POST /admin/svc/service-check`. */
export const tryServiceInput = z.strictObject(
  createConnectionInput.pick({ base_url: true, api_token: true }).shape,
)
export type TryServiceInput = z.infer<typeof tryServiceInput>

/**
 * Asks a service with an address and a token that are not saved yet.
 *
 * @throws SvcRefusal `invalid_url`, `insecure_url`
 */
export async function tryService(
  container: MedusaContainer,
  { base_url, api_token }: TryServiceInput,
): Promise<ConnectionCheck> {
  const svc = container.resolve(SVC_MODULE)
  const verdict = checkServiceUrl(base_url, svc.options.allowInsecureUrls)
  if (!verdict.ok) throw new SvcRefusal(verdict.problem.code, verdict.problem.message)
  const started = Date.now()
  try {
    await svc.connections.calls.unsaved(verdict.url, api_token, (client) =>
      client.checkService({ timeoutMs: CHECK_TIMEOUT_MS }),
    )
    return checkOf(null, started)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return checkOfUnsaved(error, started)
  }
}
