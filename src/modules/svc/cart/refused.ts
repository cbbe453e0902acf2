import { type RefusalCode, SvcRefusal } from "../shared/refusal"
import type { CartParams } from "./codes"
import { sentence } from "./sentences"

/** A refusal in the shopper's words; the route says it in their language. */
export const refused = (
  code: Extract<RefusalCode, Parameters<typeof sentence>[0]>,
  params?: CartParams,
): SvcRefusal => new SvcRefusal(code, sentence(code, "en", params), params)
