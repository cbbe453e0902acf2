import { healthKeys } from "../../lib/query-keys"
import type { Health } from "../../lib/types"
import { useAnswer } from "./request"

const TROUBLE_MS = 15_000
const WATCHED_MS = 60_000

/**
 * @param watched how a show stands: what goes wrong while it runs costs sales, and what goes wrong before it has to be mended
 *   in time
 */
export const useHealth = (watched: "live" | "soon" | null = null) =>
  useAnswer<{ health: Health }>(healthKeys.all, "/health", {
    // A critical state is answered with 503, for monitors.
    alsoAnswers: 503,
    // Troubles end by themselves.
    again: (answer) => {
      if (answer?.health.status !== "ok" || watched === "live") return TROUBLE_MS
      return watched === "soon" && WATCHED_MS
    },
  })
