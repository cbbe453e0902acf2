import type { z } from "zod"
import { SvcRefusal } from "../../modules/svc"

/**
 * Reads input by its schema: of a route, and of a workflow that a store's own code runs past every route.
 *
 * @throws SvcRefusal `invalid_request`, naming every field that is wrong and why; never its value, which may be a token
 */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message,
  )
  throw new SvcRefusal("invalid_request", `${problems.join("; ")}.`)
}
