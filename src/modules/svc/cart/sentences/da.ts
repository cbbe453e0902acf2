import type { Sentences } from "./sentence-keys"

export const da: Sentences = {
  product_not_found: "Varen findes ikke længere i butikken.",
  variant_required: "Vælg venligst en variant først.",
  not_for_sale: "Varen sælges ikke her.",
  not_in_show: "Varen er ikke længere med i showet.",
  not_available: "Varen sælges ikke i showet lige nu.",
  out_of_stock: "Varen er udsolgt.",
  quantity_limited_min: "Varen sælges fra {quantity} stk.",
  quantity_limited_max: "Højst {max} stk. pr. kunde.",
  quantity_limited_stock: "Der er kun {quantity} tilbage.",
  price_unavailable: "Showets pris kunne ikke bekræftes. Prøv venligst igen.",
  price_too_low: "Showets pris kunne ikke bekræftes. Prøv venligst igen.",
  catalog_price: "Showets pris kunne ikke bekræftes, så varen er lagt i til normalprisen.",
  currency_mismatch: "Showet sælger i {show_currency}, men kurven er i {cart_currency}.",
  channel_mismatch:
    "Showet sælger på et andet marked end denne kurv. Åbn butikken for det marked, og prøv igen.",
  campaign_ended: "Showets priser gælder ikke længere.",
  too_many_requests: "Det var meget på én gang. Prøv igen om {seconds} sekunder.",
  price_changed: "Showet har nu en anden pris på varen.",
  region_changed: "Varen har showets pris i din nye region.",
  not_found: "Kurven findes ikke.",
  cart_completed: "Ordren for denne kurv er allerede afgivet. Start en ny.",
  cart_busy: "Kurven er ved at blive ændret. Prøv venligst igen.",
  page_not_connected: "Showet, som dette kommer fra, er ikke forbundet med butikken.",
  order_number_required: "Åbn venligst varen fra showet.",
  svc_price_changed:
    "En vare fra showet ligger ikke i kurven, som du så den. Se kurven igennem, og bestil igen.",
  partial: "Ikke alt ligger i kurven, som du bad om.",
  failure: "Kurven blev ikke ændret.",
}
