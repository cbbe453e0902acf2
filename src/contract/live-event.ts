import {
  FieldReader,
  type PayloadReading,
  readBoolean,
  readId,
  readMoment,
  readText,
} from "./fields"
import type { Json } from "./json"

/** What we use of an ApiLiveEventV1 (interface §2.6). Times in ms since the epoch; 0 means "not yet". */
export type ApiLiveEvent = {
  /** The id beside `event`; an alias of `eventId` (gap 4). */
  id: string | null
  eventId: string
  /** Empty where it is not linked to a campaign yet. */
  campaignId: string
  name: string
  /** A state of §3.1; an unknown one is kept as it came, because a new state must not lose a show. */
  status: string | null
  isPublished: boolean | null
  startsAt: number | null
  liveStartTime: number | null
  liveEndTime: number | null
  deadline: number | null
  coverUrl: string | null
}

export function readLiveEvent(data: Json): PayloadReading<ApiLiveEvent> {
  const root = new FieldReader(data)
  const event = root.inside("event")
  const eventId = event.get("id", readId)
  if (eventId === null) return { ok: false, missing: ["event.id"] }
  const first = (...names: string[]) =>
    names.map((name) => event.get(name, readText)).find((text) => text) ?? null
  const value: ApiLiveEvent = {
    id: root.get("id", readText),
    eventId,
    campaignId: event.get("campaignId", readId) ?? "",
    name: first("eventName", "eventNameShort") ?? "",
    status: event.get("currentStatus", readId),
    isPublished: event.get("isPublished", readBoolean),
    startsAt: event.get("eventStartTimestamp", readMoment),
    liveStartTime: event.get("liveStartTime", readMoment),
    liveEndTime: event.get("liveEndTime", readMoment),
    deadline: root.inside("campaign").get("deadline", readMoment),
    coverUrl: first("coverPhotoPath", "coverPhotoPortraitModePath", "liveVideoCover"),
  }
  return { ok: true, value, unread: root.unread }
}
