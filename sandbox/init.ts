/** What a sandbox begins with: a document of pages, products and shows, from a file. */

import { readFileSync } from "node:fs"
import { z } from "zod"
import { parse } from "./contract/input"
import { receiveProducts } from "./domain/catalog"
import { addEventProduct } from "./domain/event-products"
import { createEvent, startEvent } from "./domain/events"
import { createPage, DEFAULT_PAGE } from "./domain/pages"
import type { Context } from "./store/context"

const record = z.record(z.string(), z.unknown())

/** `shows[]` are the fields of `POST /_sandbox/events`, with their products and whether they are on air. */
const document = z.strictObject({
  pages: z.array(record).default([]),
  products: z.array(record).default([]),
  shows: z
    .array(
      z.looseObject({ products: z.array(record).default([]), on_air: z.boolean().default(false) }),
    )
    .default([]),
})
export type InitDocument = z.input<typeof document>

/** @throws Error that names the file where it cannot be read */
export function readInitFile(file: string): InitDocument {
  try {
    return parse(document, JSON.parse(readFileSync(file, "utf8")))
  } catch (error) {
    throw new Error(`${file} cannot be used to begin with: ${(error as Error).message}`)
  }
}

/**
 * Products go to `demo-page` unless they say `page_uid`, and so do shows.
 *
 * @throws Error for the first thing that the sandbox would refuse over HTTP as well
 */
export function applyInit(context: Context, input: InitDocument): void {
  const { pages, products, shows } = parse(document, input)
  for (const page of pages)
    if (!context.tables.pages.has(String(page.uid))) createPage(context, page)
  for (const { page_uid = DEFAULT_PAGE.uid, ...product } of products) {
    const [result] = receiveProducts(context, String(page_uid), [product])
    if (result?.status === "error") {
      const reasons = result.fields.map(({ field, message }) => `${field}: ${message}`)
      throw new Error(`The product "${result.id}" is not valid. ${reasons.join("; ")}`)
    }
  }
  for (const { products: sold, on_air, ...show } of shows) {
    const event = createEvent(context, { page_uid: DEFAULT_PAGE.uid, kind: "live", ...show })
    for (const product of sold) addEventProduct(context, event.id, product)
    if (on_air) startEvent(context, event.id)
  }
}
