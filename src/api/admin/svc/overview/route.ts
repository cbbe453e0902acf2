import { readOverview } from "../../../../workflows/shows"
import { route } from "../../../answer"
import { currentShowView, pastShowView } from "./view"

/**
 * `GET /admin/svc/overview` → `{current_shows, past_shows}`: at most six shows that run or come, running ones first, with
 * how many of their products cannot be bought and what they have sold; and the last eight that are over.
 */
export const GET = route(async (req, res) => {
  const { current, past } = await readOverview(req.scope)
  res.json({
    current_shows: current.map(currentShowView),
    past_shows: past.map(pastShowView),
  })
})
