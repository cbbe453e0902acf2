/** The broadcast: the host's picture, badge, viewers, chat and hearts. */

import { Icon } from "../shared/icon"
import { money } from "../shared/money"
import type { Player } from "./player"
import type { Show } from "./service"

type Props = { player: Player; show: Show }

/** How a show's status (interface §3.1) reads to a shopper. */
const WORDS = {
  live: "Live",
  planned: "Soon",
  processing: "Just ended",
  vod: "Replay",
  clip: "Shop the clip",
  cancelled: "Cancelled",
}

type Status = Show["event"]["status"]

export function StatusBadge({ status }: { status: Status }) {
  return (
    <span class="badge" data-status={status}>
      {status === "live" ? (
        <span class="badge-dot" />
      ) : (
        <Icon name={status === "planned" ? "clock" : "play"} />
      )}
      {WORDS[status]}
    </span>
  )
}

const LINES: Partial<Record<Status, string>> = {
  planned: "The show has not started yet. Have a look around.",
  processing: "That was the show. The replay is being prepared.",
  vod: "You are watching the replay.",
  clip: "Tap a product.",
  cancelled: "This show was cancelled.",
}

/** What a shopper can expect of the prices. */
function offerOf({ event: { sells, status } }: Show): string {
  if (sells) return "The show's prices hold."
  return status === "planned" ? "Prices open with the show." : "The show's prices have ended."
}

export function Stage({ player, show }: Props) {
  const { status, name } = show.event
  const { viewers } = player.state
  return (
    <section class="stage" aria-label="Broadcast" data-status={status}>
      <img class="scene" src={new URL("player/stage.svg", player.base).href} alt="" />
      <div class="shade" />
      <div class="stage-top row nowrap">
        <StatusBadge status={status} />
        {status === "live" && (
          <span class="badge small" role="img" aria-label={`${viewers} people are watching`}>
            <Icon name="eye" />
            {viewers.toLocaleString()}
          </span>
        )}
        <span class="stage-name strong truncate" aria-hidden="true">
          {name}
        </span>
      </div>
      {status === "live" ? (
        <>
          <Shown player={player} show={show} />
          <Chat player={player} />
          <Hearts count={player.state.hearts} />
        </>
      ) : (
        <p class="stage-line text-16">
          {LINES[status]} {offerOf(show)}
        </p>
      )}
    </section>
  )
}

/** The product the host is showing: the latest that is to be had. */
function Shown({ player, show }: Props) {
  const product = show.products.find(({ available }) => available)
  if (!product) return null
  return (
    <div key={product.uid} class="on-stage row nowrap gap-12" aria-hidden="true">
      {product.image && <img src={product.image} alt="" />}
      <span class="stack gap-0">
        <b class="text-12 truncate">{product.name}</b>
        {money(player.priceNow(product), show.event.currency)}
      </span>
    </div>
  )
}

/** Messages on screen at a time. */
const SHOWN_MESSAGES = 8

function Chat({ player }: { player: Player }) {
  return (
    <div class="chat stack gap-12">
      <div class="chat-log" role="log" aria-live="off" aria-label="Chat">
        {player.chat
          .messages()
          .slice(-SHOWN_MESSAGES)
          .map(({ id, from, text, kind }) => (
            <p key={id} class="wrap" data-kind={kind}>
              <b>{from}</b> {text}
            </p>
          ))}
      </div>
      <form
        class="row nowrap"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          player.say(String(new FormData(form).get("text") ?? ""))
          form.reset()
        }}
      >
        <input
          name="text"
          placeholder="Say something…"
          aria-label="Write in the chat"
          maxLength={120}
          autocomplete="off"
        />
        <button
          type="button"
          class="icon-button like"
          aria-label="Send a heart"
          onClick={player.like}
        >
          <Icon name="heart" />
        </button>
      </form>
    </div>
  )
}

/** Hearts in the air at a time. */
const HEARTS = 12

/** Each heart is keyed by its number: a new one starts its flight, the others fly on. */
function Hearts({ count }: { count: number }) {
  const first = Math.max(0, count - HEARTS)
  return (
    <div class="hearts" aria-hidden="true">
      {Array.from({ length: count - first }, (_, i) => first + i).map((number) => (
        <span
          key={number}
          class="heart"
          style={{
            "--drift": `${((number * 29) % 48) - 24}px`,
            "--hue": ((number * 47) % 70) - 20,
          }}
        />
      ))}
    </div>
  )
}
