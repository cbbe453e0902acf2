import type { SvcModuleService } from "../../modules/svc"
import { readReportSettings } from "../../modules/svc/orders"

/** When orders are reported, by connection; of one that was deleted nothing is reported. */
export async function loadReportSettings(
  svc: SvcModuleService,
): Promise<(connectionId: string) => ReturnType<typeof readReportSettings>> {
  const connections = await svc.listSvcConnections({}, { take: null })
  const own = new Map(
    connections.map((connection) => [
      connection.id,
      readReportSettings(connection.report_settings),
    ]),
  )
  return (connectionId) => own.get(connectionId) ?? readReportSettings(null)
}
