import { basketBusy } from "../../../../../workflows/cart/basket"

/**
 * Runs work that locks a basket.
 * @throws SvcRefusal `cart_busy` where another request held the lock all the time
 */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // By shape: what a workflow throws may be a copy of the error.
    const message =
      typeof error === "object" && error !== null && "message" in error ? String(error.message) : ""
    if (/lock/i.test(message) && /acquire|timed|timeout/i.test(message)) {
      throw basketBusy()
    }
    throw error
  }
}
