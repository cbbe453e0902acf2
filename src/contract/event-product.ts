import {
  FieldReader,
  type PayloadReading,
  readBoolean,
  readId,
  readNumber,
  readText,
  readTexts,
} from "./fields"
import { isObject, type Json } from "./json"

/** What we use of an ApiLiveEventProductV1 (interface §2.7). `price` is the campaign's price, not the catalog's. */
export type ApiEventProduct = {
  /** An alias of `uid` (gap 4). */
  id: string | null
  uid: string
  campaignUid: string
  sku: string | null
  externalId: string | null
  name: string
  price: number | null
  suggestedRetailPrice: number | null
  available: boolean | null
  minPurchaseQty: number | null
  maxQtyPerCustomer: number | null
  variants: {
    uid: string | null
    sku: string | null
    externalId: string | null
    variantNames: string[]
    price: number | null
  }[]
}

export function readEventProduct(data: Json): PayloadReading<ApiEventProduct> {
  const root = new FieldReader(data)
  const uid = root.get("uid", readId)
  const campaignUid = root.get("campaignUid", readId)
  if (uid === null || campaignUid === null) {
    return {
      ok: false,
      missing: [...(uid ? [] : ["uid"]), ...(campaignUid ? [] : ["campaignUid"])],
    }
  }
  const value: ApiEventProduct = {
    id: root.get("id", readText),
    uid,
    campaignUid,
    sku: root.get("sku", readText),
    externalId: root.get("externalId", readId),
    name: root.get("name", readText) ?? "",
    price: root.get("price", readNumber),
    suggestedRetailPrice: root.get("suggestedRetailPrice", readNumber),
    available: root.get("available", readBoolean),
    minPurchaseQty: root.get("minPurchaseQty", readNumber),
    maxQtyPerCustomer: root.get("maxQtyPerCustomer", readNumber),
    variants: (root.get("variants", readObjects) ?? []).map((variant, index) => {
      const fields = new FieldReader(variant, `variants.${index}.`, root.unread)
      return {
        uid: fields.get("uid", readText),
        sku: fields.get("sku", readText),
        externalId: fields.get("externalId", readText),
        variantNames: fields.get("variantNames", readTexts) ?? [],
        price: fields.get("price", readNumber),
      }
    }),
  }
  return { ok: true, value, unread: root.unread }
}

const readObjects = (value: unknown): Json[] | null =>
  Array.isArray(value) ? value.filter(isObject) : null
