import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { SVC_MODULE } from "../modules/svc"
import { SVC_EVENTS, type SvcEvents } from "../workflows"
import { notify } from "../workflows/shared"

/** Rings the bell when an import has ended: it takes minutes, and nobody waits on its page. */
export default async function importCompleted({
  event: { data },
  container,
}: SubscriberArgs<SvcEvents["svc.import.completed"]>): Promise<void> {
  const { import_id, connection_id, total, done, failed } = data
  const [connection] = await container
    .resolve(SVC_MODULE)
    .listSvcConnections({ id: connection_id }, { select: ["id", "name", "catalog"] })
  // Disconnected meanwhile.
  if (!connection) return
  const where = connection.catalog?.push === false ? "in the feed" : "at the service"
  await notify(container, [
    {
      key: `import_completed:${import_id}`,
      code: "import_completed",
      params: { total, done, failed },
      connection_id,
      title: `Live commerce: ${connection.name}`,
      description:
        failed > 0
          ? `The import has ended: ${done} of ${total} products are ${where}, ${failed} are not. The list of products says why.`
          : `The import has ended: ${done} products are ${where}.`,
    },
  ])
}

export const config: SubscriberConfig = {
  event: SVC_EVENTS.importCompleted,
  context: { subscriberId: "svc-import-completed" },
}
