/** A Redis of a test's own: on the loopback address, in memory. */
import { connect } from "node:net"
import { startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { findProgram } from "./find-program"

const HOW_TO_GET_REDIS = "Install it (Debian: apt-get install redis-server)."

export type RunningRedis = {
  url: string
  port: number
  /** Writes everything into its folder, where the next one that is started there finds it. */
  save: () => Promise<void>
  /** Forgets everything, queued events included. */
  empty: () => Promise<void>
  stop: () => Promise<void>
}

export const findRedis = () => findProgram("redis-server")

/** One command, as Redis takes it from a terminal. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${command}\r\n`))
    socket.once("error", reject)
    socket.once("data", (answer) => {
      socket.destroy()
      resolve(answer.toString().trim())
    })
  })
}

/** @param options where an earlier one was, to start again with what that had saved; by default somewhere, and empty */
export async function startRedis(
  options: { port?: number; folder?: string } = {},
): Promise<RunningRedis> {
  const program = findRedis()
  if (!program) throw new Error(`There is no redis-server. ${HOW_TO_GET_REDIS}`)
  const port = options.port ?? (await freePort())
  const kept = options.folder ? ["--dir", options.folder] : []
  const server = await startChild({
    name: "The Redis of the tests",
    script: "integration-tests/setup/redis-server.mjs",
    args: [program, "--port", String(port), "--bind", "127.0.0.1", ...kept],
    env: { NODE_OPTIONS: "" },
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    save: async () => void (await ask(port, "SAVE")),
    empty: async () => void (await ask(port, "FLUSHALL")),
    stop: server.stop,
  }
}
