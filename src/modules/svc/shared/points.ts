import { channel } from "node:diagnostics_channel"

/**
 * Named points of background work, for whoever watches it: an APM, or a test that kills the process there to show that
 * nothing is lost. Told synchronously on Node's own diagnostics channel `svc:point`; costs nothing while nobody listens.
 */
const points = channel("svc:point")

export function passPoint(name: string): void {
  if (points.hasSubscribers) points.publish({ name })
}
