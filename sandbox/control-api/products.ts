/** `/_sandbox/pages`, `/_sandbox/products`: accounts, and what their shops pushed. */

import { z } from "zod"
import { notFound } from "../contract/errors"
import { slice, window } from "../contract/input"
import { findProduct } from "../domain/catalog"
import {
  createPage,
  deletePage,
  getPage,
  pageCreation,
  pageSettings,
  updatePage,
} from "../domain/pages"
import type { Context } from "../store/context"
import { pageRecord } from "../store/tables"
import type { Route } from "./route"
import { productShape, productView } from "./views"

const page_uid = z.string().optional()
const filters = { page_uid, q: z.string().optional(), ...window }
export type ProductFilters = Partial<z.input<z.ZodObject<typeof filters>>>

const MOST = 100_000

export function pagesAndProducts(route: Route, context: Context): void {
  const { tables } = context

  const answer = { page: pageRecord }
  route(
    "GET",
    "/pages",
    { summary: "The accounts", answer: { pages: z.array(pageRecord) } },
    () => ({ pages: [...tables.pages.values()] }),
  )
  route(
    "POST",
    "/pages",
    { summary: "One more account", body: pageCreation, status: 201, answer },
    ({ body }) => ({ page: createPage(context, body) }),
  )
  route("GET", "/pages/:uid", { summary: "One account", answer }, ({ param }) => ({
    page: getPage(context, param("uid")),
  }))
  route(
    "POST",
    "/pages/:uid",
    { summary: "Change an account", body: pageSettings, answer },
    ({ param, body }) => ({ page: updatePage(context, param("uid"), body) }),
  )
  route(
    "DELETE",
    "/pages/:uid",
    { summary: "Remove an account with all it owns", answer: { deleted: z.literal(true) } },
    ({ param }) => {
      deletePage(context, param("uid"))
      return { deleted: true as const }
    },
  )

  route(
    "GET",
    "/products",
    {
      summary: "Products as the shops pushed them",
      query: filters,
      answer: { products: z.array(productShape), count: z.int() },
    },
    ({ query }) => {
      const wanted = query.q?.toLowerCase()
      const all = [...tables.products.values()].filter(
        ({ page_uid, product }) =>
          (!query.page_uid || page_uid === query.page_uid) &&
          (!wanted || JSON.stringify(product).toLowerCase().includes(wanted)),
      )
      return { products: slice(all, query, MOST, MOST).map(productView), count: all.length }
    },
  )
  route(
    "GET",
    "/products/:id",
    {
      summary: "One product as it was pushed",
      query: { page_uid },
      answer: { product: productShape },
    },
    ({ param, query }) => {
      const id = param("id")
      const found = query.page_uid
        ? findProduct(context, query.page_uid, id)
        : [...tables.products.values()].find(({ product_id }) => product_id === id)
      if (!found) throw notFound("product", id)
      return { product: productView(found) }
    },
  )
}
