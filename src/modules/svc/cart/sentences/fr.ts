import type { Sentences } from "./sentence-keys"

export const fr: Sentences = {
  product_not_found: "Ce produit n’est plus dans la boutique.",
  variant_required: "Veuillez d’abord choisir une variante.",
  not_for_sale: "Ce produit n’est pas vendu ici.",
  not_in_show: "Ce produit n’est plus dans l’émission.",
  not_available: "Ce produit n’est pas vendu dans l’émission en ce moment.",
  out_of_stock: "Ce produit est épuisé.",
  quantity_limited_min: "Ce produit se vend à partir de {quantity} pièces.",
  quantity_limited_max: "{max} au maximum par client.",
  quantity_limited_stock: "Il n’en reste que {quantity}.",
  price_unavailable: "Le prix de l’émission n’a pas pu être confirmé. Veuillez réessayer.",
  price_too_low: "Le prix de l’émission n’a pas pu être confirmé. Veuillez réessayer.",
  catalog_price: "Le prix de l’émission n’a pas pu être confirmé : le prix habituel s’applique.",
  currency_mismatch: "L’émission vend en {show_currency}, le panier est en {cart_currency}.",
  channel_mismatch:
    "Cette émission vend sur un autre marché que ce panier. Ouvrez la boutique de ce marché et réessayez.",
  campaign_ended: "Les prix de cette émission ont pris fin.",
  too_many_requests: "Cela fait beaucoup à la fois. Veuillez réessayer dans {seconds} secondes.",
  price_changed: "L’émission propose maintenant un autre prix pour ce produit.",
  region_changed: "Ce produit a le prix de l’émission dans votre nouvelle région.",
  not_found: "Ce panier n’existe pas.",
  cart_completed: "La commande de ce panier est déjà passée. Commencez-en un nouveau.",
  cart_busy: "Ce panier est en cours de modification. Veuillez réessayer.",
  page_not_connected: "L’émission d’où cela provient n’est pas reliée à cette boutique.",
  order_number_required: "Veuillez ouvrir ce produit depuis l’émission.",
  svc_price_changed:
    "Un produit de l’émission n’est plus dans votre panier tel que vous l’avez vu. Vérifiez le panier et commandez à nouveau.",
  partial: "Tout n’est pas dans votre panier comme demandé.",
  failure: "Votre panier n’a pas été modifié.",
}
