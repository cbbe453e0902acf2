import type { Sentences } from "./sentence-keys"

export const nl: Sentences = {
  product_not_found: "Dit product is niet meer in de winkel.",
  variant_required: "Kies eerst een variant.",
  not_for_sale: "Dit product wordt hier niet verkocht.",
  not_in_show: "Dit product zit niet meer in de show.",
  not_available: "Dit product wordt nu niet in de show verkocht.",
  out_of_stock: "Dit product is uitverkocht.",
  quantity_limited_min: "Dit product wordt verkocht vanaf {quantity} stuks.",
  quantity_limited_max: "Hoogstens {max} per klant.",
  quantity_limited_stock: "Nog maar {quantity} beschikbaar.",
  price_unavailable: "De prijs van de show kon niet worden bevestigd. Probeer het opnieuw.",
  price_too_low: "De prijs van de show kon niet worden bevestigd. Probeer het opnieuw.",
  catalog_price: "De prijs van de show kon niet worden bevestigd, dus dit heeft de gewone prijs.",
  currency_mismatch: "De show verkoopt in {show_currency}, het winkelmandje is in {cart_currency}.",
  channel_mismatch:
    "Deze show verkoopt in een andere markt dan dit winkelmandje. Open de winkel van die markt en probeer het opnieuw.",
  campaign_ended: "De prijzen van deze show gelden niet meer.",
  too_many_requests: "Dat was veel tegelijk. Probeer het over {seconds} seconden opnieuw.",
  price_changed: "De show heeft nu een andere prijs voor dit product.",
  region_changed: "Dit product heeft de prijs van de show in je nieuwe regio.",
  not_found: "Dit winkelmandje bestaat niet.",
  cart_completed: "De bestelling van dit winkelmandje is al geplaatst. Begin een nieuw.",
  cart_busy: "Dit winkelmandje wordt op dit moment gewijzigd. Probeer het opnieuw.",
  page_not_connected: "De show waar dit vandaan komt, is niet met deze winkel verbonden.",
  order_number_required: "Open dit product vanuit de show.",
  svc_price_changed:
    "Een product uit de show ligt niet in je winkelmandje zoals je het zag. Bekijk het winkelmandje en bestel opnieuw.",
  partial: "Niet alles ligt in je winkelmandje zoals je vroeg.",
  failure: "Je winkelmandje is niet gewijzigd.",
}
