/**
 * What an event of a listing says (interface §4.5, gap 20). The shape of a listing is not shown, so it may have fewer
 * fields than a delivery of the same event. A field that it lacks says nothing: it ends no deadline and hides no show.
 */
import { readBoolean, readId, readMoment, readText } from "./fields"
import { isObject, type Json } from "./json"

type Readers = Record<string, (value: unknown) => unknown>

/** Fields that decide what a show is, and what reads them (interface §2.6). */
const OF_EVENT: Readers = {
  campaignId: readId,
  eventName: readText,
  currentStatus: readId,
  isPublished: readBoolean,
  eventStartTimestamp: readMoment,
  liveStartTime: readMoment,
  liveEndTime: readMoment,
}
const OF_CAMPAIGN: Readers = { deadline: readMoment }
/** Of these null says "not yet" or "none". The others an event always has: there null says nothing. */
const MAY_BE_NONE = new Set(["eventStartTimestamp", "liveStartTime", "liveEndTime", "deadline"])

/** An event of a listing, with what was known of it where the listing says nothing. */
export type CompletedEvent = {
  data: Json
  /** The listing says nothing of something that decides what the show is, and that is known or can be. */
  lean: boolean
}

/**
 * Completes an event of a listing.
 *
 * @param listed the event as the listing has it, an ApiLiveEventV1 (interface §2.6) or a part of one
 * @param known the data that was told of it before; null where nothing was
 */
export function completeListedEvent(listed: Json, known: Json | null): CompletedEvent {
  const said = partsOf(listed)
  if (known === null) return { data: listed, lean: lacks(said, null) }
  const told = partsOf(known)
  // A deadline is the campaign's: what was known of another campaign says nothing of this one.
  const [listedCampaign, knownCampaign] = [said, told].map(({ event }) => readId(event.campaignId))
  const isSameCampaign = listedCampaign === null || listedCampaign === knownCampaign
  const { campaign, ...before } = isSameCampaign ? known : { ...known, campaign: undefined }
  const data: Json = { ...before, ...listed, event: { ...objectOf(known.event), ...said.event } }
  if (listed.campaign === null) data.campaign = null
  else if (Object.keys(said.campaign).length > 0)
    data.campaign = { ...objectOf(campaign), ...said.campaign }
  else if (campaign !== undefined) data.campaign = campaign
  else delete data.campaign
  return { data, lean: lacks(said, isSameCampaign ? told : { ...told, campaign: {} }) }
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

type Parts = { event: Json; campaign: Json }

/** What a payload says of an event and of its campaign; without a campaign there is no deadline. */
function partsOf({ event, campaign }: Json): Parts {
  return {
    event: saying(event, OF_EVENT),
    campaign: campaign === null ? { deadline: null } : saying(campaign, OF_CAMPAIGN),
  }
}

/** The fields of an object that say something. */
function saying(source: unknown, readers: Readers): Json {
  if (!isObject(source)) return {}
  return Object.fromEntries(
    Object.entries(source).filter(([name, value]) => {
      // A text, a picture or the replay, which a list that has none of them takes from nobody.
      if (!Object.hasOwn(readers, name)) return value !== null && value !== ""
      return value === null ? MAY_BE_NONE.has(name) : readers[name]?.(value) !== null
    }),
  )
}

/** Whether it does not say something decisive that was told before, or that nobody told so far. */
function lacks(said: Parts, told: Parts | null): boolean {
  const isSilent = (part: keyof Parts, readers: Readers) =>
    Object.keys(readers).some(
      (name) =>
        !Object.hasOwn(said[part], name) && (told === null || Object.hasOwn(told[part], name)),
    )
  return isSilent("event", OF_EVENT) || isSilent("campaign", OF_CAMPAIGN)
}
