/** Pages: svc's accounts, each with its own token, catalog, shows and subscribers. */

import { z } from "zod"
import { notFound, SandboxError } from "../contract/errors"
import { currency, identifier, parse } from "../contract/input"
import { vat } from "../contract/payloads"
import type { Context } from "../store/context"
import type { Page } from "../store/tables"

export const DEFAULT_PAGE = { uid: "demo-page", api_token: "sandbox-token-demo-page" } as const

const pageSettings = z.strictObject({
  name: z.string().min(1).optional(),
  api_token: z.string().min(1).optional(),
  currency: currency.optional(),
  vat: vat.optional(),
})
const pageCreation = pageSettings.extend({ uid: identifier })

export type PageInput = z.input<typeof pageCreation>
export type PageChanges = z.input<typeof pageSettings>

export function createPage(context: Context, body: unknown): Page {
  const input = parse(pageCreation, body)
  if (context.tables.pages.has(input.uid)) {
    throw new SandboxError(409, "page_exists", `There is a page "${input.uid}" already.`)
  }
  const page: Page = {
    uid: input.uid,
    name: input.name ?? input.uid,
    api_token: input.api_token ?? `sandbox-token-${input.uid}`,
    currency: input.currency ?? "DKK",
    vat: input.vat ?? { rate: 25, included: true },
    created_at: context.clock.now(),
  }
  refuseTakenToken(context, page)
  context.tables.pages.set(page.uid, page)
  context.changes.touch("pages")
  return page
}

export function getPage(context: Context, pageUid: string): Page {
  const page = context.tables.pages.get(pageUid)
  if (!page) throw notFound("page", pageUid)
  return page
}

export function updatePage(context: Context, pageUid: string, body: unknown): Page {
  const page = getPage(context, pageUid)
  const changes = parse(pageSettings, body)
  refuseTakenToken(context, { ...page, ...changes })
  Object.assign(page, changes)
  context.changes.touch("pages")
  return page
}

/** With all that it owns; nothing is announced, because its subscribers go too. */
export function deletePage(context: Context, pageUid: string): void {
  getPage(context, pageUid)
  const { pages, ...owned } = context.tables
  pages.delete(pageUid)
  for (const table of Object.values(owned)) removeOwned(table, pageUid)
  context.changes.touchAll()
}

function removeOwned(table: Map<string, { page_uid: string }>, pageUid: string): void {
  for (const [key, record] of table) if (record.page_uid === pageUid) table.delete(key)
}

/**
 * The page whose token this is (interface §5 rule 1; gap 52: the same everywhere).
 *
 * @param header  value of `Authorization`; the scheme's name is the same in any case (RFC 9110)
 */
export function authenticate(context: Context, header: string | undefined): Page | null {
  const token = /^Token +([^\s]+)\s*$/i.exec(header ?? "")?.[1]
  if (!token) return null
  for (const page of context.tables.pages.values()) if (page.api_token === token) return page
  return null
}

/** The token names the page, so two pages cannot share one. */
function refuseTakenToken(context: Context, page: Page): void {
  for (const other of context.tables.pages.values()) {
    if (other.uid !== page.uid && other.api_token === page.api_token) {
      throw new SandboxError(409, "token_taken", "Another page has this API token.")
    }
  }
}
