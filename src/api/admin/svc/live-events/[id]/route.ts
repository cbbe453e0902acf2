import { SVC_MODULE } from "../../../../../modules/svc"
import { SvcRefusal } from "../../../../../modules/svc/refusal"
import type SvcModuleService from "../../../../../modules/svc/service"
import { ProjectionRows } from "../../../../../modules/svc/sql/projection"
import { readinessOf, withProducts } from "../../../../../workflows/webhooks"
import { route } from "../../../../answer"
import { liveEventDetail } from "../view"

/** `GET /admin/svc/live-events/:id` → `{live_event}` with its products. Refuses with `not_found`. */
export const GET = route(async (req, res) => {
  const svc = req.scope.resolve<SvcModuleService>(SVC_MODULE)
  const id = req.params.id ?? ""
  const known = await new ProjectionRows(svc.database()).event(id)
  const [event] = known ? await withProducts(req.scope, [known]) : []
  if (!event) throw new SvcRefusal("not_found", `There is no live event with the id "${id}".`)
  const readiness = await readinessOf(svc, event.connection_id, event.products)
  res.json({ live_event: liveEventDetail(event, readiness) })
})
