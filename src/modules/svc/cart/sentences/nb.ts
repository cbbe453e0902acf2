import type { Sentences } from "./sentence-keys"

export const nb: Sentences = {
  product_not_found: "Varen finnes ikke lenger i butikken.",
  variant_required: "Velg en variant først.",
  not_for_sale: "Varen selges ikke her.",
  not_in_show: "Varen er ikke lenger med i showet.",
  not_available: "Varen selges ikke i showet nå.",
  out_of_stock: "Varen er utsolgt.",
  quantity_limited_min: "Varen selges fra {quantity} stk.",
  quantity_limited_max: "Høyst {max} stk. per kunde.",
  quantity_limited_stock: "Bare {quantity} igjen.",
  price_unavailable: "Prisen i showet kunne ikke bekreftes. Prøv igjen.",
  price_too_low: "Prisen i showet kunne ikke bekreftes. Prøv igjen.",
  catalog_price: "Prisen i showet kunne ikke bekreftes, så varen har ordinær pris.",
  currency_mismatch: "Showet selger i {show_currency}, handlekurven er i {cart_currency}.",
  channel_mismatch:
    "Showet selger i et annet marked enn denne handlekurven. Åpne butikken for det markedet, og prøv igjen.",
  campaign_ended: "Prisene i showet gjelder ikke lenger.",
  too_many_requests: "Det var mye på en gang. Prøv igjen om {seconds} sekunder.",
  price_changed: "Showet har nå en annen pris på varen.",
  region_changed: "Varen har showets pris i den nye regionen din.",
  not_found: "Handlekurven finnes ikke.",
  cart_completed: "Bestillingen for denne handlekurven er allerede lagt inn. Start en ny.",
  cart_busy: "Handlekurven endres akkurat nå. Prøv igjen.",
  page_not_connected: "Showet som dette kommer fra, er ikke koblet til butikken.",
  order_number_required: "Åpne varen fra showet.",
  svc_price_changed:
    "En vare fra showet ligger ikke i handlekurven slik du så den. Se gjennom handlekurven, og bestill på nytt.",
  partial: "Ikke alt ligger i handlekurven slik du ba om.",
  failure: "Handlekurven ble ikke endret.",
}
