import type { KeyRotation } from "../../api/admin/svc/encryption-keys/rotate/view"
import type { Command } from "../command"
import { EXIT } from "../exit"

/** Encrypts stored secrets with the active key, so that older keys can be removed. */
export const rotateKeys: Command = {
  usage: [
    "rotate-keys [--apply]",
    "encrypt stored secrets with the first key of SVC_ENCRYPTION_KEYS; without --apply a dry run",
  ],
  options: { apply: { type: "boolean" } },
  async run({ store, values, say }) {
    const { rotation } = await store.post<{ rotation: KeyRotation }>(
      "/admin/svc/encryption-keys/rotate",
      { dry_run: values.apply !== true },
    )
    const { dry_run, active_key, rotated, unreadable, keys } = rotation
    for (const { id, active, configured, secrets } of keys) {
      const what = active ? "active" : configured ? "old" : "not in SVC_ENCRYPTION_KEYS"
      say(`${id}: ${secrets} secrets (${what})`)
    }
    say(
      dry_run
        ? `${rotated} secrets would be encrypted with "${active_key}". Nothing was written; add --apply.`
        : `${rotated} secrets are encrypted with "${active_key}" now.`,
    )
    for (const { table, id, column, key } of unreadable) {
      say(
        `Not readable: ${column} of ${table} ${id}, encrypted with "${key ?? "?"}"\n  → Put that key back into SVC_ENCRYPTION_KEYS, or enter the secret again.`,
      )
    }
    if (!dry_run && unreadable.length === 0) {
      const removable = keys.filter((key) => key.configured && !key.active && key.secrets === 0)
      for (const { id } of removable) say(`"${id}" can be removed from SVC_ENCRYPTION_KEYS.`)
    }
    return { result: rotation, exit: unreadable.length > 0 ? EXIT.problem : EXIT.ok }
  },
}
