import type { SvcModuleService } from "../../modules/svc"
import {
  type ReportSettings,
  readReportSettings,
  settingsOf,
} from "../../modules/svc/orders/report-settings"

/** Which orders are reported and counted, by connection: one that was deleted has what the store says. */
export async function loadReportSettings(
  svc: SvcModuleService,
): Promise<(connectionId: string) => ReportSettings> {
  const connections = await svc.listSvcConnections({}, { take: null })
  const own = new Map(
    connections.map((connection) => [
      connection.id,
      readReportSettings(connection.report_settings),
    ]),
  )
  return (connectionId) => settingsOf(svc.options, own.get(connectionId) ?? null)
}
