import type { MedusaContainer } from "@medusajs/framework/types"
import { z } from "zod"
import { refusalCode, refusalOf, SVC_MODULE } from "../../modules/svc"
import { type KeyUse, keyIdOf, keysInUse } from "../../modules/svc/connections"

/** Body of `POST /admin/svc/encryption-keys/rotate`. Nothing is written unless `dry_run` is false. */
export const rotateKeysInput = z.strictObject({ dry_run: z.boolean().default(true) })

/**
 * `rotated`: secrets that are under the active key now, or would be. `unreadable`: those that no configured key reads;
 * they stay as they are. `keys`: what is in use afterwards, or now where nothing was written.
 */
export type KeyRotation = {
  dry_run: boolean
  active_key: string
  rotated: number
  unreadable: { table: string; id: string; column: string; key: string | null }[]
  keys: KeyUse[]
}

/**
 * Encrypts every stored secret with the active key, so that older keys can be removed. Safe while the store runs, to be
 * repeated and to be interrupted: each secret is written by itself and only over the value that was read. Every process
 * must have the active key first, or it could not read what is written here.
 *
 * @throws SvcRefusal `encryption_key_missing`
 */
export async function rotateKeys(
  container: MedusaContainer,
  { dry_run }: z.infer<typeof rotateKeysInput>,
): Promise<KeyRotation> {
  const svc = container.resolve(SVC_MODULE)
  const [active] = svc.keyring.keyIds
  if (!active) throw refusalOf("encryption_key_missing")
  const unreadable: KeyRotation["unreadable"] = []
  let rotated = 0
  for (const secret of await svc.connections.secrets.all()) {
    const { table, id, column, value } = secret
    const key = keyIdOf(value)
    try {
      const plaintext = svc.keyring.decrypt(value, secret)
      if (key === active) continue
      const encrypted = svc.keyring.encrypt(plaintext, secret)
      const fingerprint = svc.keyring.fingerprint(plaintext)
      if (dry_run || (await svc.connections.secrets.replace(secret, encrypted, fingerprint))) {
        rotated += 1
      }
    } catch (error) {
      if (refusalCode(error) !== "secret_unreadable") throw error
      unreadable.push({ table, id, column, key })
    }
  }
  const keys = keysInUse(svc.keyring, await svc.connections.secrets.all())
  return { dry_run, active_key: active, rotated, unreadable, keys }
}
