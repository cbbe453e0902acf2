/** A row of the ledger's orders as it is inserted past the store, for tests that look at rows and sell nothing. */
export const attribution = (
  connection_id: string,
  name: string,
  columns: Record<string, unknown> = {},
) => ({
  id: `svcatt_${name}`,
  order_id: `order_${name}`,
  connection_id,
  page: "",
  campaign_uid: "campaign",
  svc_order_no: `no_${name}`,
  state: "reported",
  currency_code: "dkk",
  placed_at: new Date(),
  ...columns,
})
