/**
 * What of a show and its products is only shown: texts, pictures, the replay (interface §2.6, §2.7). Nothing is decided by
 * it, and an address may be signed anew in each answer, so it makes no other state: see `stateHash` of the shows.
 */
import { FieldReader, readNumber, readText, readTexts } from "./fields"
import type { Json } from "./json"

export type ShownEvent = {
  description: string | null
  cover_urls: { landscape: string | null; portrait: string | null; video: string | null }
  /** The replay; null until the service has it. */
  video_url: string | null
  tags: string[]
  category: string | null
}

export type ShownProduct = {
  /** The product's page, as the service knows it. */
  url: string | null
  image: string | null
  brand: string | null
  /** How many one tap puts into the basket; null where the service does not say. */
  default_quantity: number | null
}

export function readShownEvent(data: Json): ShownEvent {
  const event = new FieldReader(data).inside("event")
  const text = (name: string) => event.get(name, readText) || null
  return {
    description: text("description"),
    cover_urls: {
      landscape: text("coverPhotoPath"),
      portrait: text("coverPhotoPortraitModePath"),
      video: text("liveVideoCover"),
    },
    video_url: event.get("cdnMp4VideoUrl", readWebAddress),
    tags: event.get("tags", readTexts) ?? [],
    category: text("category"),
  }
}

export function readShownProduct(data: Json): ShownProduct {
  const product = new FieldReader(data)
  const [first] = Array.isArray(data.images) ? data.images : []
  const quantity = product.get("defaultQuantityToAdd", readNumber)
  return {
    url: product.get("url", readWebAddress),
    image:
      product.inside("image").get("url", readText) ||
      new FieldReader(first).get("url", readText) ||
      null,
    brand: product.get("brand", readText) || null,
    default_quantity:
      quantity !== null && Number.isInteger(quantity) && quantity > 0 ? quantity : null,
  }
}

/** A page may lead there, so a `javascript:` address must not come through. */
const readWebAddress = (value: unknown): string | null =>
  typeof value === "string" && /^https?:\/\//i.test(value) ? value : null
