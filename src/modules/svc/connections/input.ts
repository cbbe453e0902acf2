/** Fields of a connection, as the admin's form and the option `connections` bring them. */
import { z } from "zod"

/** An address behind which paths are put. A shop with hash routes has a "#" in it. */
export const urlWithoutQuery = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .regex(/^[^?]*$/, 'must have no query: leave out "?" and what follows')

/**
 * Characters that an HTTP header can carry. Any other would make each call fail, or be dropped on its way: the token that is
 * sent would be another one than the one that is masked in what the service repeats of it. A secret's file ends with a line end.
 */
export const apiToken = z
  .string()
  .trim()
  .max(2000)
  .regex(/^[\x20-\x7e]*$/, "has characters that no token has; copy it again")
