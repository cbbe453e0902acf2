import type { Sentences } from "./sentence-keys"

export const sv: Sentences = {
  product_not_found: "Varan finns inte längre i butiken.",
  variant_required: "Välj en variant först.",
  not_for_sale: "Varan säljs inte här.",
  not_in_show: "Varan är inte längre med i showen.",
  not_available: "Varan säljs inte i showen just nu.",
  out_of_stock: "Varan är slutsåld.",
  quantity_limited_min: "Varan säljs från {quantity} st.",
  quantity_limited_max: "Högst {max} st per kund.",
  quantity_limited_stock: "Endast {quantity} kvar.",
  price_unavailable: "Showens pris kunde inte bekräftas. Försök igen.",
  price_too_low: "Showens pris kunde inte bekräftas. Försök igen.",
  catalog_price: "Showens pris kunde inte bekräftas, så varan har ordinarie pris.",
  currency_mismatch: "Showen säljer i {show_currency}, varukorgen är i {cart_currency}.",
  channel_mismatch:
    "Showen säljer på en annan marknad än den här varukorgen. Öppna butiken för den marknaden och försök igen.",
  campaign_ended: "Showens priser gäller inte längre.",
  too_many_requests: "Det var mycket på en gång. Försök igen om {seconds} sekunder.",
  price_changed: "Showen har nu ett annat pris på varan.",
  region_changed: "Varan har showens pris i din nya region.",
  not_found: "Varukorgen finns inte.",
  cart_completed: "Beställningen för den här varukorgen är redan lagd. Börja en ny.",
  cart_busy: "Varukorgen ändras just nu. Försök igen.",
  page_not_connected: "Showen som detta kommer från är inte kopplad till butiken.",
  order_number_required: "Öppna varan från showen.",
  svc_price_changed:
    "En vara från showen ligger inte i varukorgen som du såg den. Titta igenom varukorgen och beställ igen.",
  partial: "Allt ligger inte i varukorgen som du bad om.",
  failure: "Varukorgen ändrades inte.",
}
