/**
 * Payloads with every field that the interface requires (§2.6, §2.7) and no other, as empty as a receiver has to take
 * them: what a show begins as, and what is sent where the content does not matter.
 */

import type { ApiLiveEventProductV1, ApiLiveEventV1 } from "./payloads"

type Show = { id: string; campaignId: string; name: string }

/** A planned, published show. */
export function bareEvent({ id, campaignId, name }: Show): ApiLiveEventV1 {
  return {
    id,
    event: {
      id,
      campaignId,
      eventName: name,
      eventNameShort: name,
      description: "",
      eventStartTimestamp: 0,
      liveStartTime: 0,
      liveEndTime: 0,
      currentStatus: "planned",
      isPublished: true,
      coverPhotoPath: "",
      coverPhotoPortraitModePath: "",
      liveVideoCover: "",
      cdnMp4VideoUrl: "",
      animation: "",
      tags: [],
      category: "",
      shoppableGroups: [],
    },
    campaign: { deadline: 0 },
  }
}

type Sold = Pick<
  ApiLiveEventProductV1,
  "uid" | "sku" | "externalId" | "campaignUid" | "price" | "url" | "name"
>

/** An available product, at its retail price unless a show takes less for it. */
export function bareProduct(sold: Sold): ApiLiveEventProductV1 {
  return {
    id: sold.uid,
    ...sold,
    suggestedRetailPrice: sold.price,
    available: true,
    isVirtualProduct: false,
    brand: "",
    sorting: 1,
  }
}
