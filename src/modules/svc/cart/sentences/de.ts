import type { Sentences } from "./sentence-keys"

export const de: Sentences = {
  product_not_found: "Dieses Produkt gibt es im Shop nicht mehr.",
  variant_required: "Bitte wählen Sie zuerst eine Variante.",
  not_for_sale: "Dieses Produkt wird hier nicht verkauft.",
  not_in_show: "Dieses Produkt ist nicht mehr in der Show.",
  not_available: "Dieses Produkt wird in der Show gerade nicht verkauft.",
  out_of_stock: "Dieses Produkt ist ausverkauft.",
  quantity_limited_min: "Dieses Produkt gibt es ab {quantity} Stück.",
  quantity_limited_max: "Höchstens {max} Stück pro Kunde.",
  quantity_limited_stock: "Nur noch {quantity} verfügbar.",
  price_unavailable:
    "Der Preis der Show ließ sich nicht bestätigen. Bitte versuchen Sie es erneut.",
  price_too_low: "Der Preis der Show ließ sich nicht bestätigen. Bitte versuchen Sie es erneut.",
  catalog_price:
    "Der Preis der Show ließ sich nicht bestätigen, daher gilt hier der reguläre Preis.",
  currency_mismatch: "Die Show verkauft in {show_currency}, der Warenkorb ist in {cart_currency}.",
  channel_mismatch:
    "Diese Show verkauft in einem anderen Markt als dieser Warenkorb. Öffnen Sie den Shop dieses Marktes und versuchen Sie es erneut.",
  campaign_ended: "Die Preise dieser Show gelten nicht mehr.",
  too_many_requests:
    "Das war viel auf einmal. Bitte versuchen Sie es in {seconds} Sekunden erneut.",
  price_changed: "Die Show hat für dieses Produkt jetzt einen anderen Preis.",
  region_changed: "Dieses Produkt hat den Preis der Show in Ihrer neuen Region.",
  not_found: "Diesen Warenkorb gibt es nicht.",
  cart_completed: "Dieser Warenkorb wurde bereits bestellt. Beginnen Sie einen neuen.",
  cart_busy: "Dieser Warenkorb wird gerade geändert. Bitte versuchen Sie es erneut.",
  page_not_connected: "Die Show, aus der dies kommt, ist nicht mit diesem Shop verbunden.",
  order_number_required: "Bitte öffnen Sie dieses Produkt aus der Show.",
  svc_price_changed:
    "Ein Produkt aus der Show liegt nicht mehr so im Warenkorb, wie Sie es gesehen haben. Bitte prüfen Sie den Warenkorb und bestellen Sie erneut.",
  partial: "Nicht alles liegt so im Warenkorb wie gewünscht.",
  failure: "Der Warenkorb wurde nicht geändert.",
}
