import { createHash } from "node:crypto"

/**
 * What of `medusa-config.ts` every payload depends on, as one short text: another one has all products compared. Of a
 * function its text is seen, not what it reads from elsewhere; that is found by night.
 */
export const ownCodeOf = (options: {
  mapProduct?: unknown
  catalogDisabledStatus: string
}): string =>
  createHash("sha256")
    .update(`${options.catalogDisabledStatus} ${options.mapProduct ?? ""}`)
    .digest("hex")
