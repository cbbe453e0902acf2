/** Code of a store's own that uses each public entry of the plugin, and what TypeScript says of it. */
import { mkdir, writeFile } from "node:fs/promises"
import { join, sep } from "node:path"
import ts from "typescript"

/** What `docs/extending.md`, `docs/webhooks.md` and `docs/storefront.md` promise. */
const STORE = `
import type { SubscriberArgs } from "@medusajs/framework"
import type { MedusaContainer } from "@medusajs/framework/types"
import {
  refusalCode,
  SVC_MODULE,
  SvcRefusal,
  type Attribution,
  type Connection,
  type GivenPrice,
  type ProductMapper,
  type RefusalCode,
  type ReportFields,
  type SvcModuleService,
} from "medusa-plugin-svc/modules/svc"
import { connectPlayer, rememberCart } from "medusa-plugin-svc/storefront"
import { SvcLiveNow } from "medusa-plugin-svc/storefront/live-now"
import { useSvcPlayer } from "medusa-plugin-svc/storefront/react"
import { createDelivery, GOLDEN_VECTORS, signDelivery } from "medusa-plugin-svc/testing"
import {
  attributeOrderWorkflow,
  changeCart,
  changeCartWorkflow,
  checkConnectionWorkflow,
  createConnectionWorkflow,
  deleteConnectionWorkflow,
  guardCart,
  pasteWebhookKeyWorkflow,
  rebuildLedger,
  registerWebhookWorkflow,
  removeWebhookWorkflow,
  replayDeliveriesWorkflow,
  replayDeliveryWorkflow,
  rotateWebhookKeyWorkflow,
  startImport,
  SVC_EVENTS,
  updateConnectionWorkflow,
  wakeCatalog,
  type EventProductPayload,
  type LiveEventPayload,
  type SvcEvents,
} from "medusa-plugin-svc/workflows"

export async function read(container: MedusaContainer): Promise<string[]> {
  const svc: SvcModuleService = container.resolve(SVC_MODULE)
  const connections: Connection[] = await svc.listSvcConnections({ status: "active" }, { take: 10 })
  const [rows, count] = await svc.listAndCountSvcAttributions({ state: "failed" })
  const total: number = count
  const row: Attribution = await svc.retrieveSvcAttribution("svcatt_1")
  const entries = await svc.listSvcLedgerEntries({ order_id: row.order_id })
  const events = await svc.listSvcLiveEvents({}, { select: ["id", "status"] })
  const deliveries = await container.resolve("svc").listSvcDeliveries({ outcome: "failed" })
  // @ts-expect-error rows are typed, not any
  const wrong: number = connections[0]?.name
  // @ts-expect-error rows are written by workflows
  await svc.updateSvcConnections({ id: "svccon_1", name: "Another" })
  // @ts-expect-error how the plugin works inside is not for a store's code
  svc.ledger
  return [total, wrong, rows[0]?.campaign_uid, entries[0]?.currency_code, events[0]?.status, deliveries[0]?.topic].map(String)
}

export async function run(container: MedusaContainer): Promise<RefusalCode | null> {
  try {
    const { result } = await createConnectionWorkflow(container).run({
      input: { name: "Sweden", page_uid: "page", base_url: "https://svc.example.com", api_token: "t", sales_channel_id: "sc", region_id: "reg", storefront_url: "https://shop.example.com" },
    })
    const id: string = result.id
    await updateConnectionWorkflow(container).run({ input: { id, name: "Norway" } })
    const { result: check } = await checkConnectionWorkflow(container).run({ input: id })
    const ok: boolean = check.ok
    await registerWebhookWorkflow(container).run({ input: { connection_id: id } })
    const key: string = (await rotateWebhookKeyWorkflow(container).run({ input: id })).result
    await pasteWebhookKeyWorkflow(container).run({ input: { connection_id: id, signature_key: key } })
    await replayDeliveryWorkflow(container).run({ input: "svcdel_1" })
    await replayDeliveriesWorkflow(container).run({ input: { filters: { outcome: ["failed"] } } })
    await removeWebhookWorkflow(container).run({ input: id })
    await startImport(container, id, { force: ok })
    wakeCatalog(container, [id])
    await changeCartWorkflow(container).run({ input: { cart_id: "cart_1", intent: { occasion: "market" } } })
    changeCartWorkflow.hooks.validate(async ({ cart_id, added }) => {
      if (added.some(({ quantity }) => quantity > 99)) throw new Error(cart_id)
    })
    const asked = await guardCart(container, "cart_1", "order", { acknowledged: [key] })
    if (asked) return (await changeCart(container, { cart_id: asked.cartId, intent: { occasion: "market" } })) && null
    await attributeOrderWorkflow(container).run({ input: "order_1" })
    const count: number = await rebuildLedger(container, null)
    await deleteConnectionWorkflow(container).run({ input: id })
    // @ts-expect-error inputs are typed
    await checkConnectionWorkflow(container).run({ input: { id: count } })
    return null
  } catch (error) {
    return error instanceof SvcRefusal ? refusalCode(error) : null
  }
}

export const mapProduct: ProductMapper = (payload, { product, connection }) =>
  product.handle === connection.name ? null : { ...payload, title: product.title }
export const reportFields: ReportFields = ({ order_id, net }) => ({ order_id, net })
export const readCampaignPrice = (answer: unknown): GivenPrice | null =>
  typeof answer === "number" ? { amount: answer } : null

export const heard: string[] = Object.values(SVC_EVENTS)
export async function tell({ event }: SubscriberArgs<SvcEvents[typeof SVC_EVENTS.orderFailed]>): Promise<string | null> {
  return event.data.code
}
export const refused = (data: SvcEvents["svc.product.refused"]): string | undefined => data.products[0]?.code
export const limited = (data: SvcEvents["svc.cart.price_changed"]): number => data.old_unit_price
export const started = (data: SvcEvents["svc.live_event.started"]): LiveEventPayload => data
export const added = (data: SvcEvents["svc.event_product.added"]): EventProductPayload["price"] => data.price

const { body, headers } = createDelivery({ key: "k", topic: "live_event.updated", pageUid: "page", data: {} })
export const signed: Record<string, string> = { ...headers, ...signDelivery({ key: "k", body }) }
export const vector: string | undefined = GOLDEN_VECTORS[0]?.signature

const store = { baseUrl: "https://store.example.com", publishableKey: "pk_1" }
const cart = rememberCart({ ...store, regionId: "reg_1" })
export const player: { disconnect(): void } = connectPlayer({ ...store, getCartId: cart.getCartId })
export const strip: SvcLiveNow = document.createElement("svc-live-now")
export const hook: (options: Parameters<typeof connectPlayer>[0]) => void = useSvcPlayer
`

/** A link of a store's own; a default export of CommonJS looks otherwise to ES modules of Node. */
const LINK = `
import ProductModule from "@medusajs/medusa/product"
import { defineLink } from "@medusajs/framework/utils"
import SvcModule from "medusa-plugin-svc/modules/svc"

export const field: "svcLiveEvent" = SvcModule.linkable.svcLiveEvent.id.field
export default defineLink(ProductModule.linkable.product, SvcModule.linkable.svcLiveEvent)
// @ts-expect-error the table is the plugin's own
SvcModule.linkable.svcCursor
`

export type Project = { type: "commonjs" | "module"; module: string; moduleResolution: string }

/**
 * What TypeScript finds wrong in the store's code and in the plugin's types, which it is asked to check like the code.
 * Types of other packages are not judged: Medusa's own are not without errors.
 *
 * @param folder an application that has the plugin installed
 */
export async function errorsInStoreCode(folder: string, project: Project): Promise<string[]> {
  const place = join(folder, `code-${project.moduleResolution}-${project.type}`)
  await mkdir(place)
  await writeFile(join(place, "package.json"), JSON.stringify({ type: project.type }))
  await writeFile(join(place, "store.ts"), STORE)
  const isNodeModule = project.type === "module" && project.moduleResolution !== "bundler"
  if (!isNodeModule) await writeFile(join(place, "link.ts"), LINK)
  const compilerOptions = {
    module: project.module,
    moduleResolution: project.moduleResolution,
    target: "es2022",
    lib: ["es2022", "dom"],
    strict: true,
    esModuleInterop: true,
    skipLibCheck: false,
    types: ["node"],
    noEmit: true,
  }
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    { compilerOptions },
    ts.sys,
    place,
  )
  const program = ts.createProgram(fileNames, options)
  const plugin = `${sep}medusa-plugin-svc${sep}`
  const judged = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(place) || fileName.includes(plugin))
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...judged.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return found.map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0
    return `${file?.fileName.slice(folder.length)}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  })
}
