/** `/_sandbox/pages`, `/_sandbox/products`: accounts, and what their shops pushed. */

import { z } from "zod"
import { notFound } from "../contract/errors"
import { slice, window } from "../contract/input"
import { findProduct } from "../domain/catalog"
import { createPage, deletePage, getPage, updatePage } from "../domain/pages"
import type { Context } from "../store/context"
import type { Route } from "./route"
import { productView } from "./views"

const page_uid = z.string().optional()
const filters = { page_uid, q: z.string().optional(), ...window }
export type ProductFilters = Partial<z.input<z.ZodObject<typeof filters>>>

const MOST = 100_000

export function pagesAndProducts(route: Route, context: Context): void {
  const { tables, changes } = context

  route("GET", "/pages", () => ({ pages: [...tables.pages.values()] }))
  route("POST", "/pages", ({ body }, reply) => {
    reply.code(201)
    return { page: createPage(context, body) }
  })
  route("GET", "/pages/:uid", ({ param }) => ({ page: getPage(context, param("uid")) }))
  route("POST", "/pages/:uid", ({ param, body }) => ({
    page: updatePage(context, param("uid"), body),
  }))
  route("DELETE", "/pages/:uid", ({ param }) => {
    deletePage(context, param("uid"))
    return { deleted: true }
  })

  route(
    "GET",
    "/products",
    ({ query }) => {
      const wanted = query.q?.toLowerCase()
      const all = [...tables.products.values()].filter(
        ({ page_uid, product }) =>
          (!query.page_uid || page_uid === query.page_uid) &&
          (!wanted || JSON.stringify(product).toLowerCase().includes(wanted)),
      )
      return { products: slice(all, query, MOST, MOST).map(productView), count: all.length }
    },
    filters,
  )
  route("DELETE", "/products", () => {
    tables.products.clear()
    changes.touch("products")
    return { deleted: true }
  })
  route(
    "GET",
    "/products/:id",
    ({ param, query }) => {
      const id = param("id")
      const found = query.page_uid
        ? findProduct(context, query.page_uid, id)
        : [...tables.products.values()].find(({ product_id }) => product_id === id)
      if (!found) throw notFound("product", id)
      return { product: productView(found) }
    },
    { page_uid },
  )
}
