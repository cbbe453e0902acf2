import { isId, type StoreConnection, StoreError, storeRequest } from "./store-connection.ts"

/**
 * Why a cart is asked for:
 * - `read`: to show it; `null` where there is none, so that looking makes no carts
 * - `write`: to put something in it; made where there is none
 * - `renew`: the one that is named as gone, or else the last one, is gone or already ordered; another is found, which another
 *   tab has made meanwhile, or made
 */
export type CartPurpose = "read" | "write" | "renew"

/** How the SDK asks a shop for its cart. */
export type GetCartId = (
  purpose: CartPurpose,
  gone?: string,
) => string | null | undefined | Promise<string | null | undefined>

/** The shop's cart, by id only: no price and no amount is ever kept in the browser. */
export interface RememberedCart {
  getCartId: (purpose?: CartPurpose, gone?: string) => Promise<string | null>
  /** After the order is placed, and when the customer signs out: the next write makes a new cart. */
  forget(): void
}

export interface RememberCartOptions extends StoreConnection {
  /** The region that new carts belong to. Each region has a cart of its own. */
  regionId: string
  /**
   * Where the id is kept; `localStorage` by default, and memory alone where that is refused. Two shops at one address that share
   * a region need one each.
   */
  storage?: Pick<Storage, "getItem" | "setItem">
  /** Whether the shopper agrees to the report of the order; asked for each new cart. */
  consent?: () => boolean
  /**
   * What else a new cart begins with: the language of its lines, of the order and of its mails, in a store with translations; the
   * sales channel, where the publishable key has several.
   */
  cart?: () => { locale?: string; sales_channel_id?: string }
}

/**
 * Keeps the id of the shopper's cart, making the cart with `POST /store/carts` when the first
 * product goes in. Calls that overlap share one cart, in other tabs too.
 */
export function rememberCart(options: RememberCartOptions): RememberedCart {
  const key = `svc_cart_id:${options.regionId}`
  /** The last id that was kept here, for where the storage refuses it. */
  let memory = ""
  /** What the storage has instead of it. Anything else there is newer: another tab's. */
  let older: string | null | undefined
  let making: Promise<string> | undefined

  const storage = () => options.storage ?? localStorage
  const read = (gone?: string | null) => {
    let id: string | null = memory
    try {
      // Where it is full it can be read and not written: it then has an older one, or none.
      const kept = storage().getItem(key)
      if (kept !== older) id = kept
    } catch {
      // Storage throws in private windows and under a policy that blocks it: memory then has to do.
    }
    return isId(id) && id !== gone ? id : null
  }

  const keep = (id: string) => {
    memory = id
    try {
      older = storage().getItem(key)
      storage().setItem(key, id)
      older = undefined
    } catch {
      // Memory has it.
    }
    return id
  }

  const make = async (gone: string | null) => {
    const { cart } = await storeRequest<{ cart?: { id?: string } }>(options, "/store/carts", {
      body: {
        region_id: options.regionId,
        ...options.cart?.(),
        metadata: options.consent && { svc_consent: options.consent() },
      },
    })
    if (!cart?.id) throw new StoreError("broken")
    // Another tab may have made one meanwhile and put something in.
    return read(gone) ?? keep(cart.id)
  }

  return {
    async getCartId(purpose = "write", named) {
      // Read each time: another tab may have made or forgotten the cart since.
      const gone = purpose === "renew" ? (named ?? read()) : null
      const id = read(gone)
      if (id || (purpose === "read" && !making)) return id
      making ??= make(gone).finally(() => {
        making = undefined
      })
      return making
    },
    forget: () => keep(""),
  }
}
