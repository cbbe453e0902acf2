import { z } from "zod"

/**
 * Identifiers of the service that end up in a path (`campaignUid`, `webhookUid`) or in a key of ours.
 *
 * The interface gives them no alphabet: whatever makers of ids use is taken, base64 with its `-` and `_` in front too.
 * `encodeURIComponent("..")` is still `..`, and some gateways decode `%2F`, so an identifier that could walk out of its path
 * segment is refused here, before any URL is built.
 */
export const pathId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._~:=+-]+$/, "must be letters, digits and . _ ~ : = + - only")

/** The service's order number (interface §2.3). Opaque; printable, so that it can be shown and logged. */
export const orderNo = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, "must be printable and without spaces")
