/** Ends of what was started, in that order. */
export type Stops = (() => Promise<unknown>)[]

/** Stops each before what was started before it; none is stopped twice. */
export async function stopAll(stops: Stops): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
}
