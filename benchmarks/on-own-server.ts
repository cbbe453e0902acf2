import { resolve } from "node:path"
import { startTestDatabaseServer } from "../integration-tests/setup/database"
import { type Stops, stopAll } from "../integration-tests/setup/stops"

export type { Stops }

/** Measures on a database server of its own, and stops whatever was started, also where measuring failed. */
export async function onOwnServer<T>(measure: (stops: Stops) => Promise<T>): Promise<T> {
  const server = await startTestDatabaseServer(resolve(__dirname, ".."))
  Object.assign(process.env, server.env)
  const stops: Stops = [server.stop]
  try {
    return await measure(stops)
  } finally {
    await stopAll(stops)
  }
}
