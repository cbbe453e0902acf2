import { cartBusy } from "../../../../../workflows/cart"

/**
 * Runs work that takes a cart's lock.
 * @throws SvcRefusal `cart_busy` where another request held the lock all the time
 */
export async function withCartLock<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // By shape: what a workflow throws may be a copy of the error.
    const message =
      typeof error === "object" && error !== null && "message" in error ? String(error.message) : ""
    if (/lock/i.test(message) && /acquire|timed|timeout/i.test(message)) {
      throw cartBusy()
    }
    throw error
  }
}
