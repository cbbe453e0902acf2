/** A server program that does not outlive the run that started it, however that ends. */
import { type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process"
import { platform } from "node:os"
import type { Readable, Writable } from "node:stream"

export type RunningServer = {
  child: ChildProcessByStdio<Writable, null, Readable>
  /** SIGINT, and SIGKILL after ten seconds; idempotent, waits until the server is gone. */
  stop: () => Promise<void>
}

/** Becomes the program, and interrupts it when whoever holds the other end of stdin lets go of it. */
const UNTIL_STDIN_ENDS =
  'exec 3<&0; { read -r _ <&3; kill -INT $$ 2>/dev/null; } & exec 3<&-; exec "$@" </dev/null'
const KILL_AFTER_MS = 10_000

/** What it prints on stderr is `child.stderr`'s to read. */
export function startServer(
  program: string,
  args: string[],
  options: Pick<SpawnOptions, "cwd" | "uid" | "gid"> = {},
): RunningServer {
  const guarded = platform() !== "win32"
  const [command, ...rest] = guarded
    ? ["/bin/sh", "-c", UNTIL_STDIN_ENDS, "server", program, ...args]
    : [program, ...args]
  const child = spawn(command ?? program, rest, {
    ...options,
    // A group of its own: Ctrl-C in the terminal must not end it before those who use it.
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  })
  // Of the server and of what watches over it: both hold the pipe of the log.
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()))
  return {
    child,
    stop: async () => {
      if (guarded) child.stdin.end()
      else child.kill("SIGINT")
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS)
      await gone
      clearTimeout(timer)
    },
  }
}
