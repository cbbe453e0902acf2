import { basket } from "../basket"
import { useValue } from "../state"
import { useTitle } from "../title"
import { EmptyBasket } from "./drawer"
import { LineList, Totals } from "./lines"

export function BasketPage() {
  useTitle("Basket")
  const cart = useValue(basket)
  return (
    <div class="page">
      <h1 class="title">Basket</h1>
      {cart?.items.length ? (
        <div class="two-columns">
          <LineList cart={cart} editable />
          <aside class="summary stack gap-16">
            <h2 class="text-20 strong">Summary</h2>
            <Totals cart={cart} />
            <a class="button primary" href="/checkout" data-testid="checkout-link">
              Go to checkout
            </a>
          </aside>
        </div>
      ) : (
        <EmptyBasket />
      )}
    </div>
  )
}
