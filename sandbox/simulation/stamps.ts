/**
 * The time that deliveries bear: `occurredAt`, `deliveryAt` and with it `X-Svc-Timestamp`.
 *
 * Unless a profile says otherwise it is real time, whatever the sandbox's clock was turned to. A
 * receiver lives in real time: it refuses what seems old or early (gap 7), answers 401, and the
 * delivery is lost for good. Waits, deadlines and states follow the sandbox's clock.
 */

import type { Clock } from "./clock"
import type { Profiles } from "./profiles"

type Times = { clock: Clock; profiles: Profiles }

export function stampNow({ clock, profiles }: Times): number {
  return profiles.get("timestamps") === "clock" ? clock.now() : Date.now()
}

/** Real times of changes, each later than the one before where the sandbox's clock went on meanwhile. */
export class ChangeTimes {
  private last = { clock: 0, stamp: 0 }

  /** Times before do not count any more: the clock was set back. */
  reset(): void {
    this.last = { clock: 0, stamp: 0 }
  }

  next(times: Times): number {
    const now = stampNow(times)
    if (times.profiles.get("timestamps") === "clock") {
      // With the profile's end real time goes on from itself, and not from the clock's.
      this.reset()
      return now
    }
    const clock = times.clock.now()
    // Two changes with an hour between them may be made within one real millisecond.
    const sameMoment = clock === this.last.clock
    const stamp = sameMoment ? now : Math.max(now, this.last.stamp + 1)
    this.last = { clock, stamp }
    return stamp
  }
}
