/** `/_sandbox/pages`, `/_sandbox/products`: accounts, and what their shops pushed. */

import { findProduct } from "../catalog"
import { notFound } from "../errors"
import { slice } from "../input"
import { createPage, deletePage, getPage, updatePage } from "../pages"
import type { World } from "../world"
import type { Route } from "./route"
import { productView } from "./views"

export function pagesAndProducts(route: Route, world: World): void {
  const { tables } = world

  route("GET", "/pages", () => ({ pages: [...tables.pages.values()] }))
  route("POST", "/pages", ({ body }, reply) => {
    reply.code(201)
    return { page: createPage(world, body) }
  })
  route("GET", "/pages/:uid", ({ param }) => ({ page: getPage(world, param("uid")) }))
  route("POST", "/pages/:uid", ({ param, body }) => ({
    page: updatePage(world, param("uid"), body),
  }))
  route("DELETE", "/pages/:uid", ({ param }) => {
    deletePage(world, param("uid"))
    return { deleted: true }
  })

  route("GET", "/products", ({ query }) => {
    const wanted = query.q?.toLowerCase()
    const all = [...tables.products.values()].filter(
      ({ page_uid, product }) =>
        (!query.page_uid || page_uid === query.page_uid) &&
        (!wanted || JSON.stringify(product).toLowerCase().includes(wanted)),
    )
    return { products: slice(all, query, 100_000, 100_000).map(productView), count: all.length }
  })
  route("GET", "/products/:id", ({ param, query }) => {
    const id = param("id")
    const page = query.page_uid
      ? findProduct(world, query.page_uid, id)
      : [...tables.products.values()].find(({ product_id }) => product_id === id)
    if (!page) throw notFound("product", id)
    return { product: productView(page) }
  })
}
