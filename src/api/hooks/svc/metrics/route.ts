import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readMetrics } from "../../../../workflows/connections"

/**
 * `GET /hooks/svc/metrics` → Prometheus text, with `Authorization: Bearer <monitoringToken>`. 404 while no token is set,
 * 401 for another one.
 */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const text = await readMetrics(req.scope, req.headers.authorization)
  res.setHeader("Cache-Control", "no-store")
  if (text === null) {
    res.status(404).json({ type: "not_found", code: "not_found", message: "There are no metrics." })
  } else if (text === "forbidden") {
    res.setHeader("WWW-Authenticate", "Bearer")
    res.status(401).json({
      type: "unauthorized",
      code: "unauthorized",
      message: "Send the monitoring token: Authorization: Bearer <SVC_MONITORING_TOKEN>.",
    })
  } else {
    res.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
    res.status(200).send(text)
  }
}
