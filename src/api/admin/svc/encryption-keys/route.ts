import { readKeysInUse } from "../../../../workflows/connections"
import { route } from "../../../answer"
import { keyUseView } from "./view"

/** `GET /admin/svc/encryption-keys` → `{encryption_keys: [{id, active, configured, secrets}]}`: which keys are in use. */
export const GET = route(async (req, res) => {
  res.json({ encryption_keys: (await readKeysInUse(req.scope)).map(keyUseView) })
})
