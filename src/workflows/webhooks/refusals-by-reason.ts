import type { SvcModuleService } from "../../modules/svc"
import { REFUSALS } from "../../modules/svc/webhooks"

/** What the receiver did not take, by connection and reason, with the status that it was answered with. */
export async function refusalsByReason(svc: SvcModuleService) {
  // What this process has counted and not written yet belongs to it.
  await svc.webhooks.admission.writeNotes()
  const counted = await svc.webhooks.refusals.all()
  return counted.map((row) => ({ ...row, status: REFUSALS[row.reason].status }))
}
