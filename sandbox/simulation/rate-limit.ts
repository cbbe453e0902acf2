/**
 * A limit on calls a second and page. The real one is not shown (interface §8): off by default, set
 * with the profile `rate_limit`.
 */

import { SandboxError } from "../contract/errors"

export class RateLimited extends SandboxError {
  constructor(readonly headers: Record<string, string>) {
    super(429, "rate_limited", `Too many calls. Try again in ${headers["retry-after"]} s.`)
  }
}

/**
 * A bucket that holds one second's calls and fills up continuously. In real time: a caller obeys
 * `Retry-After` in real time, and on a stopped clock it would be refused for ever.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, { left: number; at: number }>()

  /**
   * @param now  real ms
   * @throws RateLimited when the page has used up its calls
   */
  check(pageUid: string, perSecond: number, now: number): void {
    if (perSecond === 0) {
      this.buckets.clear()
      return
    }
    const bucket = this.buckets.get(pageUid) ?? { left: perSecond, at: now }
    const gained = (Math.max(0, now - bucket.at) * perSecond) / 1000
    const left = Math.min(perSecond, bucket.left + gained)
    this.buckets.set(pageUid, { left: left >= 1 ? left - 1 : left, at: now })
    if (left < 1) {
      throw new RateLimited({ "retry-after": String(Math.ceil((1 - left) / perSecond)) })
    }
  }
}
