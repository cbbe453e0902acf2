/** The player on the page: a bubble while it is minimised, the open player, the checkout's overlay. */

import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "../shared/icon"
import { Picture } from "../shared/picture"
import type { Failed } from "./answers"
import { CartView } from "./cart-view"
import type { Player } from "./player"
import type { Show } from "./service"
import { Shelf } from "./shelf"
import { Stage, StatusBadge } from "./stage"

type Props = { player: Player }

export function Views({ player }: Props) {
  return (
    <>
      {!player.isPage && <Bubble player={player} />}
      <Panel player={player} />
      {player.state.checkout && <Checkout player={player} />}
    </>
  )
}

/** The player when it is minimised: a round window into the show, bottom right. */
function Bubble({ player }: Props) {
  const { phase, show, open } = player.state
  if (phase !== "ready" || !show || show.event.status === "cancelled") return null
  const { name, status } = show.event
  return (
    <button
      type="button"
      class="bubble"
      data-testid="svc-player-open"
      data-status={status}
      // Hidden, not gone, while the player is open: the focus comes back to it.
      data-away={open || undefined}
      aria-label={`Open the show: ${name}`}
      onClick={player.open}
    >
      <span class="bubble-name strong truncate">{name}</span>
      <span class="bubble-window">
        <img src={new URL("player/stage.svg", player.base).href} alt="" />
      </span>
      <StatusBadge status={status} />
    </button>
  )
}

type DialogProps = {
  open: boolean
  modal: boolean
  class: string
  label: string
  testid?: string
  status?: string
  close: () => void
  children: ComponentChildren
}

/** A modal dialog traps focus, makes the shop's page inert and lies above all of it. */
function Dialog(props: DialogProps) {
  const { open, modal, label, testid, status, close, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || open === dialog.open) return
    if (!open) dialog.close()
    else if (modal) dialog.showModal()
    else dialog.show()
  }, [open, modal])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by `onCancel`
    <dialog
      ref={ref}
      class={props.class}
      aria-label={label}
      data-testid={testid}
      data-status={status}
      // Else the chat field had the focus, and a phone would show its keyboard.
      // biome-ignore lint/a11y/noAutofocus: it is the dialog itself that has the focus
      autoFocus
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // The event comes late: by then the dialog may be open again.
      onClose={({ currentTarget }) => !currentTarget.open && open && close()}
      // A click on the backdrop is a click on the dialog itself.
      onClick={(event) => event.target === event.currentTarget && modal && close()}
    >
      {children}
    </dialog>
  )
}

/** The open player: the stage, the products of the show, the cart. */
function Panel({ player }: Props) {
  const { isPage, state } = player
  const { phase, show, said, open } = state
  return (
    <Dialog
      open={open}
      modal={!isPage}
      class={isPage ? "panel page" : "panel"}
      label={show ? `Live shopping: ${show.event.name}` : "Live shopping"}
      close={() => !isPage && state.open && player.close()}
    >
      <p class="unseen" role="status" aria-live="polite">
        {said}
      </p>
      {phase === "ready" && show ? (
        <OpenShow player={player} show={show} />
      ) : (
        <NoShow player={player} phase={phase === "ready" ? "none" : phase} />
      )}
    </Dialog>
  )
}

function OpenShow({ player, show }: Props & { show: Show }) {
  const cart = player.cart()
  return (
    <div class="show" data-cart={player.state.cartOpen ? "open" : "closed"}>
      <Stage player={player} show={show} />
      <div class="counter">
        <header class="counter-head row nowrap between gap-16">
          <h1 class="text-20 bold wrap">{show.event.name}</h1>
          {!player.isPage && <CloseButton player={player} />}
        </header>
        <DeveloperNote player={player} />
        <NoticeView player={player} />
        <Shelf player={player} show={show} />
        {cart && <CartView player={player} cart={cart} show={show} />}
      </div>
    </div>
  )
}

function CloseButton({ player }: Props) {
  return (
    <button
      type="button"
      class="icon-button close"
      aria-label="Minimise the show"
      onClick={player.close}
    >
      <Icon name="close" />
    </button>
  )
}

const NO_SHOW = {
  loading: ["One moment", "The show is loading."],
  none: ["No show right now", "This page comes alive by itself when the next show starts."],
  offline: ["The show cannot be reached", "We try again every few seconds."],
} as const

function NoShow({ player, phase }: Props & { phase: keyof typeof NO_SHOW }) {
  const [title, text] = NO_SHOW[phase]
  return (
    <div class="no-show stack center" aria-busy={phase === "loading"}>
      <span class="sign tone" data-tone="violet">
        <Icon name="broadcast" />
      </span>
      <h1 class="text-20 bold">{title}</h1>
      <p class="soft">{text}</p>
      {!player.isPage && <CloseButton player={player} />}
    </div>
  )
}

/** What went otherwise than the shopper asked. */
function NoticeView({ player }: Props) {
  const { notice } = player.state
  if (!notice) return null
  return (
    <div class="notice note tone" role="alert" data-testid="svc-notice" data-tone={notice.tone}>
      <Icon name="alert" />
      <div class="grow">
        <strong class="strong">{notice.title}</strong>
        {notice.text && <p>{notice.text}</p>}
        <FailedList items={notice.items} />
      </div>
      <button
        type="button"
        class="icon-button small"
        aria-label="Dismiss"
        onClick={player.dismissNotice}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

function FailedList({ items }: { items: Failed[] }) {
  if (items.length === 0) return null
  return (
    <ul class="failed stack gap-4" data-testid="svc-failed-products">
      {items.map(({ name, text }) => (
        <li key={name}>
          <b class="strong">{name}</b> {text}
        </li>
      ))}
    </ul>
  )
}

/** What a developer has yet to do. */
function DeveloperNote({ player: { state } }: Props) {
  const { missing } = state
  if (!missing) return null
  return (
    <div class="notice developer note" role="note" data-testid="svc-developer-note">
      <Icon name="code" />
      <div class="grow">
        <strong class="strong">For developers: no handler for {missing}</strong>
        <p>This page has not registered the action, so nothing reaches the shop. Add:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long code is scrolled by keyboard too */}
        <pre tabIndex={0}>
          {`window.onSvcReady = window.onSvcReady || []
window.onSvcReady.push((sdk) =>
  sdk.registerAction(sdk.actions.${missing}, handler)
)`}
        </pre>
      </div>
    </div>
  )
}

/** The overlay while a social checkout link fills the cart, and how that ended. */
function Checkout({ player }: Props) {
  const { checkout } = player.state
  if (!checkout) return null
  const { answer, items } = checkout
  const percent = player.progress.percent()
  return (
    <Dialog
      open
      modal
      class="checkout"
      label="Your basket from the show"
      testid="svc-checkout"
      status={answer?.status ?? "WORKING"}
      close={() => answer && player.closeCheckout()}
    >
      {answer ? (
        <CheckoutEnd player={player} />
      ) : (
        <>
          <div class="pictures">
            {items.slice(0, 3).map(({ image, name }) => (
              <Picture key={name} url={image} sign="tag" alt={name} />
            ))}
          </div>
          <h1 class="text-20 bold">Filling your basket</h1>
          <p class="soft">
            {items.length === 1 ? items[0]?.name : `${items.length} products, at the show's prices`}
          </p>
          <div
            class="bar"
            role="progressbar"
            aria-label="Filling your basket"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <span style={{ width: `${percent}%` }} />
          </div>
        </>
      )}
    </Dialog>
  )
}

const ENDS = {
  SUCCESS: ["green", "Your basket is ready", "Everything is in it, at the show's prices."],
  PARTIAL: ["amber", "Almost everything is in", "These did not make it:"],
  FAILURE: ["red", "Your basket could not be filled", ""],
  UNREGISTERED: [
    "amber",
    "This shop cannot take the link yet",
    "For developers: no handler is registered for SOME_CHECKOUT. See the console.",
  ],
} as const

function CheckoutEnd({ player }: Props) {
  const { checkout, show } = player.state
  if (!checkout?.answer) return null
  const { answer, items } = checkout
  const { status, message } = answer
  const [tone, title, text] = ENDS[status]
  return (
    <>
      <span class="sign tone" data-tone={tone}>
        <Icon
          name={status === "SUCCESS" ? "check" : status === "UNREGISTERED" ? "code" : "alert"}
        />
      </span>
      <div role="alert">
        <h1 class="text-20 bold">{title}</h1>
      </div>
      {(message || text) && <p class="soft">{message || text}</p>}
      <FailedList items={player.failedItems(answer)} />
      <div class="actions stack">
        {(status === "SUCCESS" || status === "PARTIAL") && (
          <button
            type="button"
            class="button primary large"
            data-testid="svc-checkout-go"
            onClick={player.openCart}
          >
            Go to basket
            <Icon name="right" />
          </button>
        )}
        {status === "FAILURE" && items.length > 0 && (
          <button type="button" class="button primary large" onClick={player.retryCheckout}>
            Try again
          </button>
        )}
        {show && (
          <button type="button" class="button plain large" onClick={player.open}>
            Watch the show
          </button>
        )}
        <button type="button" class="button quiet" onClick={player.closeCheckout}>
          Close
        </button>
      </div>
    </>
  )
}
