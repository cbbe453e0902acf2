import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { z } from "zod"
import { checkServiceUrl, withoutLastSlashes } from "../../client"
import { serviceId } from "../../contract"
import {
  type Connection,
  refusalOf,
  SVC_MODULE,
  type SvcModuleService,
  SvcRefusal,
} from "../../modules/svc"
import { apiToken, urlWithoutQuery } from "../../modules/svc/connections"
import { catalogChanges, catalogSettings } from "../catalog"
import { reportSettings } from "../orders"

/** Body of `POST /admin/svc/connections`. */
export const createConnectionInput = z.strictObject({
  name: z.string().trim().min(1).max(200),
  page_uid: z.string().trim().pipe(serviceId),
  base_url: z.string().trim().min(1).max(2000),
  api_token: apiToken.min(1),
  sales_channel_id: z.string().min(1),
  region_id: z.string().min(1),
  storefront_url: urlWithoutQuery,
  prices_include_vat: z.boolean().optional(),
  promotions: z.enum(["allow", "exclude"]).optional(),
  /** Null for the defaults. */
  catalog: catalogSettings.nullable().optional(),
  /** Null for the defaults. */
  report_settings: reportSettings.nullish(),
  /** For the store's own handlers of the workflow's hook; kept nowhere. */
  additional_data: z.record(z.string(), z.unknown()).optional(),
})
export type CreateConnectionInput = z.input<typeof createConnectionInput>

/**
 * Body of `POST /admin/svc/connections/:id`: fields that are absent keep their value, also those within `catalog` and
 * `report_settings`, and so does an empty token.
 */
export const updateConnectionInput = createConnectionInput
  .partial()
  .extend({ api_token: apiToken.optional(), catalog: catalogChanges.nullish() })
export type UpdateConnectionInput = z.input<typeof updateConnectionInput>

/**
 * Checks settings of the schemas above against the store and the service's address, and returns them normalised.
 *
 * @throws SvcRefusal `invalid_url`, `insecure_url`, `sales_channel_not_found`, `region_not_found`
 */
export async function checkSettings<Settings extends z.infer<typeof updateConnectionInput>>(
  container: MedusaContainer,
  { additional_data, ...settings }: Settings,
): Promise<Omit<Settings, "additional_data">> {
  const svc = container.resolve(SVC_MODULE)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const checked = { ...settings }

  if (settings.base_url !== undefined) {
    const verdict = checkServiceUrl(settings.base_url, svc.options.allowInsecureUrls)
    if (!verdict.ok) throw new SvcRefusal(verdict.problem.code, verdict.problem.message)
    checked.base_url = verdict.url
  }
  if (settings.storefront_url !== undefined) {
    checked.storefront_url = withoutLastSlashes(settings.storefront_url)
  }
  const { sales_channel_id, region_id } = settings
  const isMissing = async (entity: "sales_channel" | "region", id: string | undefined) =>
    id !== undefined &&
    (await query.graph({ entity, fields: ["id"], filters: { id } })).data.length === 0
  if (await isMissing("sales_channel", sales_channel_id)) {
    throw refusalOf("sales_channel_not_found")
  }
  if (await isMissing("region", region_id)) throw refusalOf("region_not_found")
  return checked
}

/** What the hooks `connectionCreated` and `connectionUpdated` are given. */
export const hookInput = (
  connection_id: string,
  { additional_data }: Pick<UpdateConnectionInput, "additional_data">,
) => ({ connection_id, additional_data })

/**
 * A player names its page alone: with two connections of that in one sales channel nobody would know which of them sells.
 *
 * @param id of the connection itself, where it is there already
 * @throws SvcRefusal `connection_exists` where another connection has the page, at this address or in this sales channel
 */
export async function refuseTwin(
  svc: SvcModuleService,
  wanted: Pick<Connection, "page_uid" | "base_url" | "sales_channel_id">,
  id?: string,
): Promise<void> {
  const { page_uid, base_url, sales_channel_id } = wanted
  const others = await svc.listSvcConnections({
    page_uid,
    $or: [{ base_url }, { sales_channel_id }],
  })
  const twin = others.find((other) => other.id !== id)
  if (!twin) return
  throw new SvcRefusal(
    "connection_exists",
    `The page "${page_uid}" is connected already by "${twin.name}". Change that connection, or delete it first.`,
  )
}
