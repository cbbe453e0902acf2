import type { KeyRotation } from "../../../../workflows/connections"

/** Ids and counts only: no key and no secret. */
export const keyUseView = ({ id, active, configured, secrets }: KeyRotation["keys"][number]) => ({
  id,
  active,
  configured,
  secrets,
})

export const keyRotationView = (rotation: KeyRotation) => ({
  dry_run: rotation.dry_run,
  active_key: rotation.active_key,
  rotated: rotation.rotated,
  unreadable: rotation.unreadable.map(({ table, id, column, key }) => ({ table, id, column, key })),
  keys: rotation.keys.map(keyUseView),
})
