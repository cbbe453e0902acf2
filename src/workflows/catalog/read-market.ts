import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Connection } from "../../modules/svc"
import type { StoreMarket } from "../../modules/svc/catalog"

/** Where a connection sells, as the store has it now. */
export async function readMarket(
  container: MedusaContainer,
  { region_id, sales_channel_id }: Pick<Connection, "region_id" | "sales_channel_id">,
): Promise<StoreMarket> {
  const [[region], [channel]] = await Promise.all([
    container.resolve(Modules.REGION).listRegions({ id: region_id }, { relations: ["countries"] }),
    container.resolve(Modules.SALES_CHANNEL).listSalesChannels({ id: sales_channel_id }),
  ])
  return {
    channel_open: channel?.is_disabled === false,
    region_name: region?.name ?? null,
    currency_code: region?.currency_code ?? "",
    automatic_taxes: region?.automatic_taxes ?? false,
    countries: (region?.countries ?? []).flatMap(({ iso_2 }) => iso_2 ?? []).sort(),
  }
}
