/** The shop's cart as the player shows it, and the way to the shop's own. */

import { Icon } from "../shared/icon"
import { money } from "../shared/money"
import { Picture } from "../shared/picture"
import type { Cart, Line } from "./cart"
import type { Player } from "./player"
import type { Show } from "./service"

type Props = { player: Player; cart: Cart; show: Show }

export function CartView({ player, cart, show }: Props) {
  const lines = cart.lines()
  const currency = cart.currency() || show.event.currency
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <section
      class="cart"
      data-testid="svc-cart"
      aria-label="Your basket"
      aria-busy={cart.isPending()}
    >
      <header class="row nowrap between gap-16">
        <button
          type="button"
          class="cart-toggle row nowrap strong small"
          aria-expanded={player.state.cartOpen}
          onClick={player.toggleCart}
        >
          <Icon name="basket" />
          <span class="cart-title">Your basket</span>
          {count > 0 && (
            <span key={count} class="count text-12">
              {count}
            </span>
          )}
          <span class="turn">
            <Icon name="up" />
          </span>
        </button>
        {lines.length > 0 && (
          <strong
            class="text-20 bold numeric"
            data-testid="svc-total"
            data-pending={cart.isPending() || undefined}
          >
            {money(cart.total(), currency)}
          </strong>
        )}
      </header>
      <div class="cart-body">
        {lines.length > 0 ? (
          <ul class="lines">
            {lines.map((line) => (
              <CartLine key={line.key} player={player} line={line} currency={currency} />
            ))}
          </ul>
        ) : (
          <EmptyCart cart={cart} />
        )}
      </div>
      <button
        type="button"
        class="button primary large"
        data-testid="svc-go-to-cart"
        disabled={lines.length === 0}
        onClick={player.openCart}
      >
        Go to basket
        <Icon name="right" />
      </button>
    </section>
  )
}

function EmptyCart({ cart }: { cart: Cart }) {
  const problem = cart.problem()
  if (!problem) {
    return <p class="soft">Nothing in it yet. Add what you like, the price is held for you.</p>
  }
  return (
    <p class="soft">
      {problem}
      <button type="button" class="button quiet" onClick={cart.refresh}>
        Try again
      </button>
    </p>
  )
}

type LineProps = { player: Player; line: Line; currency: string }

function CartLine({ player, line, currency }: LineProps) {
  const product = player.productOf(line.product_id, line.variant_id)
  const variant = product?.variants.find(({ external_id }) => external_id === line.variant_id)
  return (
    <li
      class="line"
      data-testid="svc-cart-line"
      data-product-id={line.product_id}
      data-pending={line.pending || undefined}
    >
      <Picture url={line.image ?? product?.image} sign="tag" />
      <div class="stack gap-0">
        <span class="truncate">{product?.name ?? line.name}</span>
        <small>{[...(variant?.names ?? []), money(line.unit_price, currency)].join(" · ")}</small>
      </div>
      {line.in_campaign ? (
        <Stepper
          player={player}
          line={line}
          least={product?.min_purchase_qty ?? 1}
          most={product?.max_qty_per_customer ?? Number.POSITIVE_INFINITY}
        />
      ) : (
        <span class="soft" title="Not from this show">
          {line.quantity} ×
        </span>
      )}
      <span class="line-total strong numeric">{money(line.total, currency)}</span>
      {line.in_campaign && (
        <button
          type="button"
          class="icon-button small"
          data-testid="svc-remove"
          aria-label={`Remove ${line.name}`}
          onClick={() => player.setQuantity(line, 0)}
        >
          <Icon name="trash" />
        </button>
      )}
    </li>
  )
}

type StepperProps = { player: Player; line: Line; least: number; most: number }

function Stepper({ player, line, least, most }: StepperProps) {
  const { name, quantity } = line
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of buttons
    <div class="stepper small" role="group" aria-label={`Quantity of ${name}`}>
      <button
        type="button"
        data-testid="svc-less"
        aria-label={`Fewer of ${name}`}
        disabled={quantity - 1 < least}
        onClick={() => player.setQuantity(line, quantity - 1)}
      >
        <Icon name="minus" />
      </button>
      <span data-testid="svc-quantity">{quantity}</span>
      <button
        type="button"
        data-testid="svc-more"
        aria-label={`More of ${name}`}
        disabled={quantity + 1 > most}
        onClick={() => player.setQuantity(line, quantity + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  )
}
