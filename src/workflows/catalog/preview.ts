import type { MedusaContainer } from "@medusajs/framework/types"
import type { PushedProduct } from "../../contract"
import { type CatalogItem, refusalCode, SVC_MODULE, SvcRefusal } from "../../modules/svc"
import {
  catalogReason,
  type Difference,
  differences,
  type ProductDiff,
  readCatalogSettings,
  requireCatalogSettings,
  targetOf,
} from "../../modules/svc/catalog"
import { currencyOf } from "../../modules/svc/shared/priced-hash"
import type { Reason } from "../../modules/svc/shared/reason"
import { sqlProblem } from "../../modules/svc/shared/sql-error"
import { compareRows } from "./prepare-products"

const PAGE = 100
/** A request is not kept waiting for longer; a larger store is told how far it was looked. */
const MOST_MS = 20_000
/** Products that are shown in full of each kind. */
const EXAMPLES = 5

/** What would happen to a product. */
type PreviewKind = "new" | "changed" | "withdrawn" | "refused" | "unchanged"

type PreviewedProduct = {
  product_id: string
  title: string | null
  kind: PreviewKind
  reason: Reason | null
  difference: Difference[]
}

/** What an import would send. Nothing is sent, and nothing is written. */
export type Preview = {
  /** False where the store is so large that only its first products were looked at. */
  complete: boolean
  compared: number
  counts: Record<PreviewKind, number>
  /** `POST /products` calls that it would take; none where the service only reads the feed. */
  calls: number
  examples: PreviewedProduct[]
}

/** @throws SvcRefusal `connection_not_found`, `setting_unreadable`, `store_error` */
export async function previewImport(
  container: MedusaContainer,
  connectionId: string,
  { force = false }: { force?: boolean } = {},
): Promise<Preview> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(connectionId)
  const target = targetOf(connection)
  const counts: Preview["counts"] = { new: 0, changed: 0, withdrawn: 0, refused: 0, unchanged: 0 }
  const examples: PreviewedProduct[] = []
  const until = Date.now() + MOST_MS
  let compared = 0
  let after: string | null = ""
  while (after !== null && Date.now() < until) {
    const ids: string[] = await svc.catalog.storeProducts.idsToCompare(connection, after, PAGE)
    const known = await svc.catalog.items.known(connection.id, ids)
    const rows = ids.map((id) => ({ ...(known.get(id) ?? unknownRow(id)), force }))
    const [diffs, last] = await Promise.all([
      compareForPerson(container, connection, rows),
      svc.catalog.items.payloads(
        rows.map(({ id }) => id),
        target,
      ),
    ])
    for (const row of rows) {
      const diff = diffs.get(row.id)
      if (!diff) continue
      const before = last.get(row.id) ?? null
      const kind = kindOf(diff, before !== null)
      compared += 1
      counts[kind] += 1
      const shown = examples.filter((example) => example.kind === kind).length
      if (kind === "unchanged" || shown >= EXAMPLES) continue
      examples.push({
        product_id: row.product_id,
        title: diff.title,
        kind,
        reason: diff.reason,
        difference: diff.send ? differences(before, diff.send.payload) : [],
      })
    }
    after = ids.length === PAGE ? (ids.at(-1) ?? null) : null
  }
  const { push } = requireCatalogSettings(connection.catalog)
  const sent = push ? counts.new + counts.changed + counts.withdrawn : 0
  const calls = Math.ceil(sent / svc.catalog.pace.most.batchSize)
  return { complete: after === null, compared, counts, calls, examples }
}

const unknownRow = (productId: string) => ({
  id: productId,
  product_id: productId,
  acknowledged_hash: null,
  acknowledged_target: null,
})

function kindOf({ state, send }: ProductDiff, isKnown: boolean): PreviewKind {
  if (state === "invalid" && !send) return "refused"
  if (!send) return "unchanged"
  if (state !== "synced") return "withdrawn"
  return isKnown ? "changed" : "new"
}

/** One product as it was sent, as "send now" would send it, and what is different. */
export type ProductPreview = {
  payload: PushedProduct | null
  last_payload: PushedProduct | null
  /** Of the amounts in `payload`, in `last_payload` where that is null; null where nobody knows it. */
  currency_code: string | null
  difference: Difference[]
}

/** @throws SvcRefusal `store_error` */
export async function previewProduct(
  container: MedusaContainer,
  item: CatalogItem,
): Promise<ProductPreview> {
  const svc = container.resolve(SVC_MODULE)
  const connection = await svc.connection(item.connection_id)
  const { unreadable } = readCatalogSettings(connection.catalog)
  const target = unreadable ? null : targetOf(connection)
  const last_payload = (await svc.catalog.items.payloads([item.id], target)).get(item.id) ?? null
  const told = currencyOf(item.acknowledged_hash)
  if (unreadable) return { payload: null, last_payload, currency_code: told, difference: [] }
  const diffs = await compareForPerson(container, connection, [{ ...item, force: true }])
  const diff = diffs.get(item.id)
  const send = diff?.send
  // What is equal by its hash is equal, even where variants that are gone were told last.
  const isEqual =
    send?.hash === item.acknowledged_hash && targetOf(connection) === item.acknowledged_target
  return {
    payload: send?.payload ?? null,
    last_payload,
    // What is taken off is so at the price that it had.
    currency_code: diff?.state === "synced" && send ? currencyOf(send.hash) : told,
    difference: send && !isEqual ? differences(last_payload, send.payload) : [],
  }
}

/** @throws SvcRefusal `store_error` where the store, or the one product, cannot be read now */
async function compareForPerson(
  ...input: Parameters<typeof compareRows>
): Promise<Map<string, ProductDiff>> {
  try {
    return await compareRows(...input)
  } catch (error) {
    if (refusalCode(error)) throw error
    const problem = sqlProblem(error)
    const { message, fix } = catalogReason("store_error", { problem })
    throw new SvcRefusal("store_error", `${message} ${fix}`, { problem })
  }
}
