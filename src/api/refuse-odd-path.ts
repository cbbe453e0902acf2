import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { SvcRefusal } from "../modules/svc"
import { answerRefusal } from "./answer"

/** Refuses paths that cannot contain an id of ours. Postgres or the router would answer them with an error 500. */
export function refuseOddPath(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  if (isPlain(req.originalUrl.split("?")[0] ?? "")) next()
  else answerRefusal(res, new SvcRefusal("not_found", "There is nothing under this address."))
}

/** No path of ours is as long. Limits are counted by ids in paths, and kept in memory under them. */
const MOST_LETTERS = 2_000

function isPlain(path: string): boolean {
  try {
    return path.length <= MOST_LETTERS && !/\p{Cc}/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
