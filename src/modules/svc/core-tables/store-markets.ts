/**
 * SQL: what of the store every payload of a row `connection` depends on, as one short text. Medusa tells of most changes of
 * it by an event; of a region or a channel that a module call restores it does not.
 */
export const MARKET_FACTS = `ROW(
  (SELECT channel.is_disabled FROM sales_channel channel
   WHERE channel.id = connection.sales_channel_id AND channel.deleted_at IS NULL),
  (SELECT concat_ws('/', region.name, region.currency_code, region.automatic_taxes) FROM region
   WHERE region.id = connection.region_id AND region.deleted_at IS NULL))`
