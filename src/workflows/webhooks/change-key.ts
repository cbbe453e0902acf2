import { type SvcModuleService, SvcRefusal, type Webhook } from "../../modules/svc"
import { keyTold, keyUntold, rotationAsked } from "../../modules/svc/webhooks"
import { callFailed, isOutcomeUnknown, rotationOf } from "./subscriber-row"

/** Says that the key that we have is still the right one. */
export const KEPT = Symbol("kept")

/**
 * Changes a subscriber at the service such that it may sign with another key, and writes down what came of it. While that is
 * open what does not verify is answered 503, not 401 (gap 12): also where nobody knows whether it was carried out.
 *
 * @param about what is said where it was not carried out, and where that is not known; whether the row was made for it
 * @param change `key: null` where the answer had none; `mismatchMs`: for so long deliveries that were signed before may come
 * @throws SvcRefusal `webhook_key_unknown`, `svc_call_failed`, and those of `change`
 */
export async function changeKey(
  svc: SvcModuleService,
  row: Webhook,
  about: { what: string; unsure: string; isNew: boolean },
  change: () => Promise<{ key: string | null | typeof KEPT; mismatchMs: number | null }>,
): Promise<void> {
  const rows = svc.webhooks.subscribers
  await rows.changeKeys(row.id, rotationAsked(await svc.shows.projection.now()))
  let told: Awaited<ReturnType<typeof change>>
  try {
    told = await change()
  } catch (error) {
    if (isOutcomeUnknown(error) && !(error instanceof SvcRefusal)) {
      // Not repeated (gap 13): the service may have done it already. A person decides.
      throw callFailed(error, about.unsure)
    }
    // As it was before, which may have been a rotation of which nobody knows what came of it.
    if (about.isNew) await rows.remove(row.id)
    else await rows.changeKeys(row.id, rotationOf(row))
    throw callFailed(error, about.what)
  }
  const { key, mismatchMs } = told
  if (key === KEPT) {
    await rows.changeKeys(row.id, rotationOf(row))
  } else if (key === null) {
    await rows.changeKeys(row.id, keyUntold())
    throw new SvcRefusal(
      "webhook_key_unknown",
      "The service did not show the webhook's new key. Rotate the key, or paste it by hand.",
    )
  } else {
    const now = await svc.shows.projection.now()
    const mismatchUntil = mismatchMs === null ? null : now + mismatchMs
    await rows.changeKeys(row.id, keyTold(svc.keyring, row.id, key, now, mismatchUntil))
  }
}
