import { isId, type StoreConnection, StoreError, storeRequest } from "./store-connection.ts"

/**
 * Why a cart is asked for:
 * - `read`: to show it; `null` where there is none, so that looking makes no carts
 * - `write`: to put something in it; made where there is none
 * - `renew`: the last one is gone or already ordered; make another
 */
export type CartPurpose = "read" | "write" | "renew"

/** How the SDK asks a shop for its cart. */
export type GetCartId = (
  purpose: CartPurpose,
) => string | null | undefined | Promise<string | null | undefined>

/** The shop's cart, by id only: no price and no amount is ever kept in the browser. */
export interface RememberedCart {
  getCartId: (purpose?: CartPurpose) => Promise<string | null>
  /** After the order is placed: the next write makes a new cart. */
  forget(): void
}

export interface RememberCartOptions extends StoreConnection {
  /** The region that new carts belong to. Each region has a cart of its own. */
  regionId: string
  /** Where the id is kept; `localStorage` by default, and memory alone where that is refused. */
  storage?: Pick<Storage, "getItem" | "setItem">
  /** Whether the shopper agrees to the report of the order; asked for each new cart. */
  consent?: () => boolean
}

/**
 * Keeps the id of the shopper's cart, making the cart with `POST /store/carts` when the first
 * product goes in. Calls that overlap share one cart.
 */
export function rememberCart(options: RememberCartOptions): RememberedCart {
  const key = `svc_cart_id:${options.regionId}`
  let memory: string | null = null
  let making: Promise<string> | undefined

  // Storage throws in private windows and under a policy that blocks it: memory then has to do.
  const storage = () => options.storage ?? localStorage
  const read = () => {
    try {
      const id = storage().getItem(key)
      return id && isId(id) ? id : null
    } catch {
      return memory
    }
  }

  const keep = (id: string | null) => {
    memory = id
    try {
      storage().setItem(key, id ?? "")
    } catch {
      // Kept in memory above.
    }
  }

  const make = async () => {
    const { cart } = await storeRequest<{ cart?: { id?: string } }>(options, "/store/carts", {
      body: {
        region_id: options.regionId,
        metadata: options.consent && { svc_consent: options.consent() },
      },
    })
    if (!cart?.id) throw new StoreError("broken")
    keep(cart.id)
    return cart.id
  }

  return {
    async getCartId(purpose = "write") {
      // Read each time: another tab may have made or forgotten the cart since.
      const id = purpose === "renew" ? null : read()
      if (id || (purpose === "read" && !making)) return id
      making ??= make().finally(() => {
        making = undefined
      })
      return making
    },
    forget: () => keep(null),
  }
}
