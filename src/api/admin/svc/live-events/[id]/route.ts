import { SVC_MODULE, SvcRefusal } from "../../../../../modules/svc"
import { withProducts, withReadiness } from "../../../../../workflows/shows"
import { idOf, route } from "../../../../answer"
import { liveEventDetail } from "../view"

/** `GET /admin/svc/live-events/:id` → `{live_event}` with its description, its replay and its products. Refuses with `not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve(SVC_MODULE)
  const id = idOf(req)
  const known = await svc.shows.queries.event(id)
  const full = known ? await withProducts(req.scope, [known]) : []
  const [event] = await withReadiness(svc, full)
  if (!event) throw new SvcRefusal("not_found", `There is no live event with the id "${id}".`)
  res.json({ live_event: liveEventDetail(event) })
})
