import { z } from "zod"

/** Bytes; as far as an index of our tables takes two of them. */
const MAX_BYTES = 500
/**
 * `encodeURIComponent("..")` is still `..`, and would lead out of its place in an address; between slashes it does so where a
 * gateway decodes `%2F`.
 */
const LEADS_OUT = /(^|[/\\])\.{1,2}([/\\]|$)/

/**
 * Whether a text may be an identifier of the service: of a campaign, a page, an order (interface §2.3). The interface gives them
 * no alphabet. Each may stand in an address, and in a header once it is encoded. One rule for what deliveries tell and what
 * a browser sends: a show that was told and cannot be tapped would sell nothing, and nobody would know why.
 */
export const isId = (text: string): boolean =>
  text.length > 0 &&
  Buffer.byteLength(text) <= MAX_BYTES &&
  !/[\p{Cc}\p{Cs}]/u.test(text) &&
  !LEADS_OUT.test(text)

export const serviceId = z
  .string()
  .refine(isId, "must be 1 to 500 bytes without control characters, and not lead out of a path")
