import { createHash } from "node:crypto"

const LENGTH = 26

/**
 * The id of a connection that is declared in `medusa-config.ts`. It derives from the name, because it is part of the
 * address at which the service delivers: a connection that was deleted and is declared again must answer there again.
 */
export function declaredConnectionId(name: string): string {
  const hash = createHash("sha256").update(`declared connection ${name}`, "utf8").digest("hex")
  return `svccon_${hash.slice(0, LENGTH)}`
}
