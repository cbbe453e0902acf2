import { resolve } from "node:path"
import { startTestDatabaseServer } from "../integration-tests/setup/database"

/** What a benchmark has started, each stopped before what was started before it. */
export type Stops = (() => Promise<unknown>)[]

/** Measures on a database server of its own, and stops whatever was started, also where measuring failed. */
export async function onOwnServer<T>(measure: (stops: Stops) => Promise<T>): Promise<T> {
  const server = await startTestDatabaseServer(resolve(__dirname, ".."))
  Object.assign(process.env, server.env)
  const stops: Stops = [server.stop]
  try {
    return await measure(stops)
  } finally {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
  }
}
