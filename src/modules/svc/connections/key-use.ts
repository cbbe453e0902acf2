import { type Reason, reasonFor } from "../shared/reason"
import type { StoredSecret } from "./secret-rows"
import { type Keyring, keyIdOf } from "./secrets"

/** One encryption key, by its id: whether the store has it, whether new secrets are encrypted with it, how many are. */
export type KeyUse = { id: string; active: boolean; configured: boolean; secrets: number }

/** Shown for a stored value that is not of our format. */
const NO_KEY = "?"

/** Which key ids are in use, the configured ones first in their order. Pure. */
export function keysInUse(keyring: Keyring, secrets: Pick<StoredSecret, "value">[]): KeyUse[] {
  const counts = new Map<string, number>(keyring.keyIds.map((id) => [id, 0]))
  for (const { value } of secrets) {
    const id = keyIdOf(value) ?? NO_KEY
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const [active] = keyring.keyIds
  return [...counts].map(([id, count]) => ({
    id,
    active: id === active,
    configured: keyring.keyIds.includes(id),
    secrets: count,
  }))
}

type KeyProblem = {
  severity: "warning" | "critical"
  reason: Reason
}

/**
 * What a person has to do about the keys: put one back that secrets still need, or rotate before an old one is removed.
 * Without any key at all the health document says so in other words. Pure.
 */
export function keyProblems(keys: KeyUse[]): KeyProblem[] {
  if (!keys.some(({ configured }) => configured)) return []
  const told = (chosen: KeyUse[]) => ({
    keys: chosen.map(({ id }) => id).join(", "),
    count: chosen.reduce((sum, { secrets }) => sum + secrets, 0),
  })
  const used = keys.filter(({ secrets, active }) => secrets > 0 && !active)
  const gone = told(used.filter(({ configured }) => !configured))
  const old = told(used.filter(({ configured }) => configured))
  const problems: KeyProblem[] = []
  if (gone.count > 0) {
    problems.push({
      severity: "critical",
      reason: reasonFor("encryption_key_removed", gone),
    })
  }
  if (old.count > 0) {
    problems.push({
      severity: "warning",
      reason: reasonFor("encryption_key_old", old),
    })
  }
  return problems
}
