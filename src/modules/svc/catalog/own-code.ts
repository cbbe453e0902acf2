import { createHash } from "node:crypto"

/**
 * What of `medusa-config.ts` every payload depends on, as one short text: another one has all products compared. Of a
 * function its text is seen, not what it reads from elsewhere; that is found by night.
 */
export const ownCodeOf = (options: {
  mapProduct?: unknown
  catalogDisabledStatus: string
}): OwnCode => ({
  ownCode: createHash("sha256")
    .update(`${options.catalogDisabledStatus} ${options.mapProduct ?? ""}`)
    .digest("hex"),
  isMapped: Boolean(options.mapProduct),
})

/** `isMapped`: a mapper is told the connection's name, which nothing else shows. */
export type OwnCode = { ownCode: string; isMapped: boolean }
