import type { MedusaContainer } from "@medusajs/framework/types"
import { type News, notify } from "../shared"
import { type Health, readHealth } from "./read-health"

/** Warnings that end in lost sales, reports or payments where nobody looks (interface §3.2, §6.3). */
const TOLD_WARNINGS = new Set([
  "webhook_warning",
  "lookups_failing",
  "orders_failed",
  "orders_delayed",
  "orders_not_booked",
  "store_error",
  "paid_without_order",
])

/** For the job: tells people what is critical, and what becomes so; the same of a connection once a day. */
export async function tellProblems(container: MedusaContainer): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  await notify(container, newsOf(await readHealth(container), day))
}

const newsOf = ({ problems, connections }: Health, day: string): News[] =>
  problems
    .filter(({ severity, code }) => severity === "critical" || TOLD_WARNINGS.has(code))
    .map(({ connection_id: id, code, message, fix, params = {} }) => ({
      code,
      params,
      connection_id: id,
      // Several of one code may be there at once: what is stuck, the tables that are gone, the settings that cannot be read.
      key: [code, params.what ?? params.missing ?? params.setting ?? [], id ?? "store", day]
        .flat()
        .join(":"),
      title: `Live commerce: ${connections.find((one) => one.id === id)?.name ?? "all connections"}`,
      description: `${message} ${fix}`,
    }))
