import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { SVC_MODULE } from "../../../../modules/svc"
import {
  RESULT_COLUMNS,
  RESULT_GROUPS,
  type ResultQuery,
  type ResultRow,
} from "../../../../workflows/orders"
import { moment, readListQuery } from "../../../answer"
import { sendCsv, wantsCsv } from "../../../csv"
import { resultView } from "./view"

/**
 * By its full name: of a short one (`IST`) Postgres thinks another zone than Node does, and of `+05:30` the opposite sign. One
 * that this Postgres does not know is refused where it is asked (`Results`).
 */
const timezone = z.string().transform((name, context) => {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions()
    if (/^[A-Z]/.test(timeZone)) return timeZone
  } catch {
    // No such zone.
  }
  const message = "must be the name of a time zone, for example Europe/Copenhagen"
  context.addIssue({ code: "custom", message })
  return z.NEVER
})

/** A day keeps its name: it begins by `timezone`. */
const dayOrMoment = z.union([z.iso.date(), moment])

/**
 * Answers a question about results: a page of them under the name of the list, or all of them as a file.
 *
 * @param list `groupBy` where the route has decided it
 */
export async function sendResults<Row>(
  req: MedusaRequest,
  res: MedusaResponse,
  list: { name: string; view: (row: ResultRow) => Row; groupBy?: ResultQuery["groupBy"] },
): Promise<void> {
  const { query, page } = readResultQuery(req, list.groupBy)
  const rows = await req.scope.resolve(SVC_MODULE).orders.results.list(query)
  if (wantsCsv(req)) return sendCsv(req, res, list.name, RESULT_COLUMNS, [rows.map(fileRow(query))])
  const shown = rows.slice(page.offset, page.offset + page.limit)
  res.json({ [list.name]: shown.map(list.view), count: rows.length, ...page })
}

/** A day is a date in the file, as its zone has it: its beginning in UTC is of the day before, east of Greenwich. */
function fileRow({ groupBy, timezone: timeZone }: ResultQuery) {
  // Sweden writes dates as ISO 8601 does.
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone })
  return (row: ResultRow) => {
    const { period, ...figures } = resultView(row)
    return { ...figures, period: groupBy === "day" && period ? days.format(period) : period }
  }
}

function readResultQuery(req: MedusaRequest, groupBy?: ResultQuery["groupBy"]) {
  const {
    filters: asked,
    order,
    page,
  } = readListQuery(req.query, {
    sortable: RESULT_COLUMNS,
    sortedBy: "net",
    filters: ["connection_id", "campaign_uid", "event_id", "product_id", "currency_code"],
    extra: {
      group_by: groupBy ? z.never().optional() : z.enum(RESULT_GROUPS).optional(),
      from: dayOrMoment.optional(),
      to: dayOrMoment.optional(),
      timezone: timezone.default("UTC"),
    },
  })
  const { group_by, from = null, to = null, timezone: zone, ...filters } = asked
  const query: ResultQuery = {
    groupBy: groupBy ?? group_by ?? "campaign",
    filters,
    from,
    to,
    timezone: zone,
    order,
  }
  return { query, page }
}
