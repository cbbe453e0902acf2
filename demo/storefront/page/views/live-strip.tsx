import { onAir, shows, upcoming } from "../live"
import { useValue } from "../state"
import { Icon } from "./icon"

const TIME = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
})

/** The show on air, or the next one, above every page. Nothing where there is neither. */
export function LiveStrip() {
  const all = useValue(shows)
  const live = onAir(all)
  const next = upcoming(all)
  const show = live ?? next
  if (!show) return null
  const pieces = show.products.filter(({ available }) => available).length
  return (
    <aside class="strip" aria-label="Live shows">
      {live ? (
        <div class="wide row" data-testid="live-now" data-campaign={show.campaign_uid}>
          <span class="badge live">Live now</span>
          <span class="strong">{show.name}</span>
          {pieces > 0 && (
            <a class="link row" href={`/?show=${encodeURIComponent(show.id)}`}>
              {`${pieces} ${pieces === 1 ? "product" : "products"} at the show's price`}
              <Icon name="arrow" />
            </a>
          )}
        </div>
      ) : (
        <div class="wide row" data-testid="live-next">
          <span class="badge">
            <Icon name="play" />
            Coming up
          </span>
          <span class="strong">{show.name}</span>
          <span class="soft">{TIME.format(new Date(show.starts_at ?? 0))}</span>
        </div>
      )}
    </aside>
  )
}
