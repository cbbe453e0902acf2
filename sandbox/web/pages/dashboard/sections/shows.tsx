/** All shows and shoppable clips of the page. */

import type { EventView } from "../../../../control-api/views"
import { section, useDashboard } from "../dashboard"
import { dayAndTime, plural } from "../format"
import { Empty, Head, Segments, State } from "../parts"
import { go, href } from "../router"
import { svc } from "../service"
import { PlanShow } from "./plan-show"

const kindOf = (kind: string | undefined) =>
  kind === "live" || kind === "shoppable" ? kind : undefined

export const shows = section(
  ({ page, query }) => svc.events.list({ page_uid: page.uid, kind: kindOf(query.kind) }),

  function Shows({ data: { events } }) {
    const { query } = useDashboard()
    return (
      <>
        <Head title="Shows" text="Plan them, run them, change prices while they run.">
          <PlanShow />
        </Head>
        <Segments
          label="Kind"
          choices={[
            ["", "All"],
            ["live", "Live shows"],
            ["shoppable", "Shoppable clips"],
          ]}
          current={query.kind}
          choose={(kind) => go(["shows"], { kind })}
        />
        {events.length === 0 && (
          <Empty
            sign="broadcast"
            title="No show yet"
            text="Plan one, give it products from the received catalog, and press Go live."
          >
            <PlanShow />
          </Empty>
        )}
        <ul class="shows">
          {events.map((event) => (
            <li key={event.id}>
              <ShowCard event={event} />
            </li>
          ))}
        </ul>
      </>
    )
  },
)

function ShowCard({ event }: { event: EventView }) {
  const { eventName, coverPhotoPath, eventStartTimestamp } = event.data.event
  const facts = [
    eventStartTimestamp > 0 && dayAndTime(eventStartTimestamp),
    plural(event.products, "product"),
  ]
  return (
    <a class="part stack gap-12" href={href(["shows", event.id])}>
      <img class="cover" src={coverPhotoPath} alt="" loading="lazy" />
      <span class="stack gap-4">
        <State state={event.status} />
        <strong class="text-16 wrap">{eventName}</strong>
        <span class="soft">{facts.filter(Boolean).join(" · ")}</span>
      </span>
    </a>
  )
}
