import { rotateKeys, rotateKeysInput } from "../../../../../workflows/connections"
import { route } from "../../../../answer"
import { readBody } from "../../../../body"

/**
 * `POST /admin/svc/encryption-keys/rotate` `{dry_run?: true}` → `{rotation: {dry_run, active_key, rotated, unreadable,
 * keys}}`: encrypts stored secrets with the active key; nothing is written unless `dry_run` is false. Refuses with
 * `encryption_key_missing`, `invalid_request`.
 */
export const POST = route(async (req, res) => {
  const input = await readBody(req, rotateKeysInput)
  res.json({ rotation: await rotateKeys(req.scope, input) })
})
