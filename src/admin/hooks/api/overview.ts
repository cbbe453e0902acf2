import { overviewKeys } from "../../lib/query-keys"
import type { CurrentShow, PastShow } from "../../lib/types"
import { useAnswer } from "./request"

const LIVE_MS = 5_000
const SOON_MS = 60_000
const A_DAY_MS = 86_400_000

/** What goes wrong with it now costs sales, or will tonight. */
export const isTonight = ({ status, starts_at }: Pick<CurrentShow, "status" | "starts_at">) =>
  status === "live" || (starts_at !== null && new Date(starts_at).getTime() < Date.now() + A_DAY_MS)

export const useOverview = () =>
  useAnswer<{ current_shows: CurrentShow[]; past_shows: PastShow[] }>(
    overviewKeys.all,
    "/overview",
    {
      // While a show runs its takings grow, and one that begins soon may begin while the page is open. Otherwise coming back
      // to the page is soon enough.
      again: ({ current_shows: shows } = { current_shows: [], past_shows: [] }) => {
        if (shows.some(({ status }) => status === "live")) return LIVE_MS
        return shows.some(isTonight) && SOON_MS
      },
    },
  )
