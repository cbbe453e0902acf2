/**
 * Fields with which an order's lines come with quantity and total. Medusa keeps quantities in the detail and computes
 * totals from taxes and adjustments: asked for alone, they are silently absent.
 */
export const ORDER_LINE_FIELDS = [
  "total",
  "items.*",
  "items.detail.*",
  "items.tax_lines.*",
  "items.adjustments.*",
]
