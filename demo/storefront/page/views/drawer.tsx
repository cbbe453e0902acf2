import { useEffect, useRef } from "preact/hooks"
import { basket, countOf, drawerOpen } from "../basket"
import { address } from "../navigation"
import { useValue } from "../state"
import { Icon } from "./icon"
import { LineList, Totals } from "./lines"

const close = () => drawerOpen.set(false)

/** The basket beside the page. A native dialog: it keeps the focus inside, and Escape closes it. */
export function Drawer() {
  const cart = useValue(basket)
  const open = useValue(drawerOpen)
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => address.watch(close), [])
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || open === dialog.open) return
    if (open) dialog.showModal()
    else dialog.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={ref}
      class="drawer"
      aria-label="Basket"
      data-testid="cart-drawer"
      onClose={close}
      // A click on the dialog itself is a click on what is behind it.
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div class="drawer-inside">
        <div class="drawer-head row between">
          <h2 class="text-20 strong">
            Basket <span class="soft">{countOf(cart) || ""}</span>
          </h2>
          <button type="button" class="icon-button" aria-label="Close the basket" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {/* Drawn only while it is open: a page has the basket's lines once. */}
        {open && !cart?.items.length && <EmptyBasket />}
        {open && cart && cart.items.length > 0 && (
          <>
            <LineList cart={cart} editable />
            <div class="drawer-foot stack gap-16">
              <Totals cart={cart} />
              <a class="button primary" href="/checkout" data-testid="checkout-link">
                Go to checkout
              </a>
              <a class="link soft center" href="/cart">
                See the whole basket
              </a>
            </div>
          </>
        )}
      </div>
    </dialog>
  )
}

export function EmptyBasket() {
  return (
    <div class="message stack center gap-16" data-testid="cart-empty">
      <span class="sign tone">
        <Icon name="basket" />
      </span>
      <p>Your basket is empty.</p>
      <a class="button plain" href="/" onClick={close}>
        See everything
      </a>
    </div>
  )
}
