/** All shows and shoppable clips of the page. */
import { h } from "/player/view.js"
import { get } from "../api.js"
import { dayAndTime, plural } from "../format.js"
import { empty, head, segments, stateBadge } from "../parts.js"
import { go, href } from "../router.js"
import { planShow, showDialog } from "./plan-show.js"

const KINDS = [
  ["", "All"],
  ["live", "Live shows"],
  ["shoppable", "Shoppable clips"],
]

export const shows = {
  load: ({ page, query }) => get("/events", { page_uid: page.uid, kind: query.kind }),

  view(ctx, { events }, { query }) {
    return [
      head("Shows", "Plan them, run them, change prices while they run.", planShow(ctx)),
      segments(KINDS, query.kind ?? "", (kind) => go(["shows"], { kind }), "Kind"),
      events.length === 0
        ? empty({
            sign: "broadcast",
            title: "No show yet",
            text: "Plan one, give it products from the received catalog, and press Go live.",
            action: planShow(ctx),
          })
        : h("ul.shows", null, events.map(showCard)),
      showDialog(ctx),
    ]
  },
}

function showCard(event) {
  const { eventName, coverPhotoPath, eventStartTimestamp } = event.data.event
  return h(
    "li",
    { key: event.id },
    h(
      "a.show-card",
      { href: href(["shows", event.id]) },
      h(
        "span.cover",
        null,
        coverPhotoPath && h("img", { src: coverPhotoPath, alt: "", loading: "lazy" }),
      ),
      h(
        "span.show-text",
        null,
        stateBadge(event.status),
        h("strong", null, eventName),
        h(
          "span.soft",
          null,
          [
            eventStartTimestamp && dayAndTime(eventStartTimestamp),
            plural(event.products, "product"),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
    ),
  )
}
