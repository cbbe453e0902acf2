/**
 * How the referee looks into a shop and makes it act. Each part is optional: what it cannot see or
 * ask for, it does not judge.
 */

/** What the receiver made of the deliveries, deleted things included or left out. */
export type ShopState = {
  events: { id: string; name?: string; deleted?: boolean }[]
  products: { uid: string; price?: number; deleted?: boolean }[]
}

export type Purchase = {
  campaign_uid: string
  page_uid: string
  order_no: string
  product_id: string
  variant_id?: string
  quantity: number
}

export type ShopDriver = {
  /** What the shop knows of shows and their products. */
  state?(): Promise<ShopState>
  /** Gives the receiver another signature key, as after a rotation. */
  setKey?(key: string): Promise<void>
  /** Takes a product off sale that the shop pushed before; answers which. */
  delist?(): Promise<{ product_id: string }>
  /** Puts a product of a show into a cart and places the order; answers the line's unit price. */
  buy?(purchase: Purchase): Promise<{ unit_price: number | null }>
}

/**
 * A driver over HTTP: `GET <url>/state`, `POST <url>/key {signature_key}`, `POST <url>/delist`,
 * `POST <url>/buy {...}`. What answers 404 or 501 is not there.
 */
export async function httpDriver(url: string): Promise<ShopDriver> {
  const base = url.replace(/\/+$/, "")
  async function call<T>(path: string, body?: unknown): Promise<T | null> {
    const response = await fetch(`${base}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    })
    if (response.status === 404 || response.status === 501) return null
    if (!response.ok) throw new Error(`${base}/${path} answered ${response.status}.`)
    return (await response.json()) as T
  }
  async function need<T>(path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(path, body)
    if (answer === null) throw new NotOffered(`${base}/${path} is not there.`)
    return answer
  }
  return {
    ...((await call<ShopState>("state")) !== null && { state: () => need<ShopState>("state") }),
    setKey: async (signature_key) => {
      await need("key", { signature_key })
    },
    delist: () => need<{ product_id: string }>("delist", {}),
    buy: (purchase) => need<{ unit_price: number | null }>("buy", purchase),
  }
}

/** The shop's driver has no such command: the rule stays undecided. */
export class NotOffered extends Error {}
