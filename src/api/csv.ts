import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../modules/svc"

/** Whether the caller asks for `text/csv` rather than JSON, with whatever parameters: a spelling matches only itself. */
export function wantsCsv(req: MedusaRequest): boolean {
  const spellings = req.get("accept")?.match(/\b(text\/csv|application\/json)\s*;[^,]*/gi) ?? []
  const best = req.accepts(["application/json", "text/csv", ...spellings])
  return typeof best === "string" && /^text\/csv/i.test(best)
}

type Value = string | number | boolean | Date | null | undefined

/** Spreadsheets read letters outside ASCII only behind this mark. */
const BYTE_ORDER_MARK = "\uFEFF"

/**
 * Answers with a CSV file, a page at a time: what it takes of memory does not grow with the file, and a slow reader slows
 * the reading. Times are ISO 8601 in UTC, numbers have a point. Where reading fails in the middle the connection is cut:
 * a file that simply ended would be taken for the whole.
 *
 * @param name of the file, without its ending
 */
export async function sendCsv<Row extends Record<string, unknown>>(
  req: MedusaRequest,
  res: MedusaResponse,
  name: string,
  columns: readonly (keyof Row & string)[],
  pages: AsyncIterable<Row[]> | Iterable<Row[]>,
): Promise<void> {
  res.status(200).set({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}.csv"`,
  })
  try {
    // One page is made while the one before is sent: neither more nor fewer.
    await pipeline(Readable.from(csvOf(columns, pages), { highWaterMark: 1 }), res)
  } catch (error) {
    const reason = messageOf(error)
    req.scope
      .resolve(ContainerRegistrationKeys.LOGGER)
      .warn(`svc: the file ${name}.csv was not sent to its end: ${reason}`)
  }
}

/** The text of a CSV file, a page at a time. */
export async function* csvOf<Row extends Record<string, unknown>>(
  columns: readonly (keyof Row & string)[],
  pages: AsyncIterable<Row[]> | Iterable<Row[]>,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${columns.join(",")}\r\n`
  for await (const rows of pages) {
    yield rows
      .map((row) => `${columns.map((column) => cell(row[column] as Value)).join(",")}\r\n`)
      .join("")
  }
}

/** RFC 4180. A text that a spreadsheet would take for a formula is told that it is a text. */
export function cell(value: Value): string {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") {
    return value instanceof Date ? value.toISOString() : String(value)
  }
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
