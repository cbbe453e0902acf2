import { isId, type StoreConnection, StoreError, storeRequest } from "./store-connection"

/**
 * Why a basket is asked for:
 * - `read`: to show it; `null` where there is none, so that looking makes no baskets
 * - `write`: to put something in it; made where there is none
 * - `renew`: the last one is gone or already ordered; make another
 */
export type CartPurpose = "read" | "write" | "renew"

/** How the SDK asks a shop for its basket. */
export type GetCartId = (
  purpose: CartPurpose,
) => string | null | undefined | Promise<string | null | undefined>

/** The shop's basket, by id only: no price and no amount is ever kept in the browser. */
export interface RememberedCart {
  getCartId: (purpose?: CartPurpose) => Promise<string | null>
  /** After the order is placed: the next write makes a new basket. */
  forget(): void
}

export interface RememberCartOptions extends StoreConnection {
  /** The region that new baskets belong to. Each region has a basket of its own. */
  regionId: string
  /** Where the id is kept; `localStorage` by default, and memory alone where that is refused. */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">
}

/**
 * Keeps the id of the shopper's basket, making the basket with `POST /store/carts` when the first
 * product goes in. Calls that overlap share one basket.
 */
export function rememberCart(options: RememberCartOptions): RememberedCart {
  const key = `svc_cart_id:${options.regionId}`
  let memory: string | null = null
  let making: Promise<string> | undefined

  // Storage throws in private windows and under a policy that blocks it: memory then has to do.
  const read = () => {
    try {
      const id = (options.storage ?? localStorage).getItem(key)
      return id && isId(id) ? id : null
    } catch {
      return memory
    }
  }

  const keep = (id: string | null) => {
    memory = id
    try {
      const storage = options.storage ?? localStorage
      id ? storage.setItem(key, id) : storage.removeItem(key)
    } catch {
      // Kept in memory above.
    }
  }

  const make = async () => {
    const { cart } = await storeRequest<{ cart?: { id?: string } }>(options, "/store/carts", {
      region_id: options.regionId,
    })
    if (!cart?.id) {
      throw new StoreError("broken", "The store made no basket")
    }
    keep(cart.id)
    return cart.id
  }

  return {
    async getCartId(purpose = "write") {
      // Read each time: another tab may have made or forgotten the basket since.
      const id = purpose === "renew" ? null : read()
      if (id || (purpose === "read" && !making)) {
        return id
      }
      making ??= make().finally(() => {
        making = undefined
      })
      return making
    },
    forget: () => keep(null),
  }
}
