/**
 * Fields that an order's lines need to come with quantity and total. Medusa keeps quantities in the detail and
 * computes totals from taxes and adjustments: without these fields, both are silently missing.
 */
export const ORDER_LINE_FIELDS = [
  "total",
  "items.*",
  "items.detail.*",
  "items.tax_lines.*",
  "items.adjustments.*",
]
