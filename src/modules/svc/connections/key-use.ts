import { type Reason, reasonFor } from "../shared/reason"
import type { StoredSecret } from "./secret-rows"
import { type Keyring, keyIdOf } from "./secrets"

/**
 * One encryption key, by its id: whether the store has it, whether new secrets are encrypted with it, how many are.
 * Another key under the same id is another key.
 */
export type KeyUse = { id: string; active: boolean; configured: boolean; secrets: number }

/** Shown for a stored value that is not of our format. */
const NO_KEY = "?"

/** Which keys are in use, the configured ones first in their order. Pure. */
export function keysInUse(keyring: Keyring, secrets: StoredSecret[]): KeyUse[] {
  const [active] = keyring.keyIds
  const keys = keyring.keyIds.map((id) => ({
    id,
    active: id === active,
    configured: true,
    secrets: 0,
  }))
  for (const secret of secrets) {
    const id = keyIdOf(secret.value) ?? NO_KEY
    const configured = keyring.reads(secret.value, secret)
    let key = keys.find((one) => one.id === id && one.configured === configured)
    if (!key) {
      key = { id, active: false, configured, secrets: 0 }
      keys.push(key)
    }
    key.secrets += 1
  }
  return keys
}

type KeyProblem = {
  severity: "warning" | "critical"
  reason: Reason
}

/** What a person has to do about the keys: put one back that secrets still need, or rotate before an old one is removed. Pure. */
export function keyProblems(keys: KeyUse[]): KeyProblem[] {
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
