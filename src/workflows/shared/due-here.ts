import type { SvcModuleService } from "../../modules/svc"

/** When we look again at the work of a connection that is not ours to do. */
const ELSEWHERE_MS = 60_000

/** Whether another process has the connection's token, or nobody: then its work is left to that one. */
export async function isElsewhere(svc: SvcModuleService, connectionId: string): Promise<boolean> {
  const connection = await svc.connections.background.find(connectionId)
  return connection === null || svc.connections.calls.isDeclaredElsewhere(connection)
}

/** In how many ms there is something to do here, by connection: rows of others would be looked at without end. */
export async function dueHere(
  svc: SvcModuleService,
  due: Map<string, number>,
): Promise<Map<string, number>> {
  for (const [id, ms] of due) {
    if (await isElsewhere(svc, id)) due.set(id, Math.max(ms, ELSEWHERE_MS))
  }
  return due
}
