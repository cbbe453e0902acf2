/** Starts a program of this checkout as a child process, waits until it can be used, and stops it again. */
import { createWriteStream, mkdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
// Version 5: later ones are ES modules only, which jest cannot load into the tests' CommonJS.
import execa from "execa"

export const ROOT = resolve(__dirname, "..")
const preloaded = (path: string) => ["--import", pathToFileURL(path).href]

/** Ends a program when the process that started it is gone, even if that was killed; it needs an IPC channel. */
const ENDS_WITH_PARENT = preloaded(resolve(__dirname, "end-with-parent.mjs"))

/** Node's own arguments for a program of this checkout. */
export const nodeOptionsFor = (script: string): string[] => [
  ...(script.endsWith(".ts") ? preloaded(require.resolve("tsx")) : []),
  ...ENDS_WITH_PARENT,
]

export type ChildOptions = {
  /** For messages: "the sandbox". */
  name: string
  /** Relative to the root of the checkout. */
  script: string
  args?: string[]
  env?: Record<string, string>
  /** Answers with 2xx as soon as the program can be used. Without it the program sends `{ ready: true }`. */
  readyUrl?: string
  /** Everything the program prints; without it the last lines are kept for error messages. */
  logFile?: string
  timeoutMs?: number
  /** Ends the wait and the program. */
  signal?: AbortSignal
  /** What the program says it is doing, by `reportProgress`. */
  onProgress?: (text: string) => void
}

/** What a program tells whoever waits for it. */
type Message = { progress: string } | { ready: true }

function isMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null
}

/** For the program's side: tells whoever waits for it what it is doing. */
export function reportProgress(progress: string): void {
  process.send?.({ progress } satisfies Message)
}

export type RunningChild = {
  name: string
  pid: number
  /** The last lines it printed. */
  output: () => string
  /** Resolves when it has ended, by itself or not. */
  ended: Promise<{ code: number | null; expected: boolean }>
  /** SIGTERM, and SIGKILL after half a minute; idempotent. */
  stop: () => Promise<void>
  /** SIGKILL, without waiting. */
  kill: () => void
}

const KEPT_OUTPUT = 8_000
const POLL_MS = 50
/** A store gives its leases back before it ends, which takes seconds, and more of them on a busy machine. */
const KILL_AFTER_MS = 30_000

async function answers(url: string, giveUp: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(10_000), giveUp])
    return (await fetch(url, { signal })).ok
  } catch {
    return false
  }
}

/** @returns the last that was printed */
function capture(stream: NodeJS.ReadableStream | undefined, logFile: string | undefined) {
  if (logFile) {
    mkdirSync(dirname(logFile), { recursive: true })
    stream?.pipe(createWriteStream(logFile))
  }
  let kept = ""
  stream?.on("data", (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT)
  })
  return () => kept.trim()
}

/** @throws with what the program printed, when it ends or does not get ready in time */
export async function startChild(options: ChildOptions): Promise<RunningChild> {
  const { name, script, readyUrl } = options
  const child = execa(
    process.execPath,
    [...nodeOptionsFor(script), script, ...(options.args ?? [])],
    {
      cwd: ROOT,
      env: options.env,
      // In a group of its own: a Ctrl-C in the terminal reaches the parent only, which then stops its programs in
      // order. The IPC channel tells the program when the parent is gone.
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      all: true,
      buffer: false,
      reject: false,
    },
  )
  const output = capture(child.all, options.logFile)
  let ready = false
  child.on("message", (message) => {
    if (!isMessage(message)) return
    if ("progress" in message) options.onProgress?.(message.progress)
    else if ("ready" in message) ready = true
  })
  let stopping = false
  const gone = new AbortController()
  const ended = child.then(({ exitCode }) => {
    gone.abort()
    return { code: exitCode ?? null, expected: stopping }
  })
  const stop = async () => {
    stopping = true
    child.kill("SIGTERM", { forceKillAfterTimeout: KILL_AFTER_MS })
    await ended
  }

  const giveUp = AbortSignal.any([
    gone.signal,
    AbortSignal.timeout(options.timeoutMs ?? 120_000),
    ...(options.signal ? [options.signal] : []),
  ])
  while (!(readyUrl ? await answers(readyUrl, giveUp) : ready)) {
    if (giveUp.aborted) {
      const endedByItself = gone.signal.aborted
      await stop()
      if (options.signal?.aborted) throw new Error(`${name} was stopped.`)
      throw new Error(
        `${name} ${endedByItself ? "ended before it was ready" : "did not become ready in time"}.\n${output()}`,
      )
    }
    await pause(POLL_MS)
  }
  return {
    name,
    pid: child.pid ?? 0,
    output,
    ended,
    stop,
    kill: () => void child.kill("SIGKILL"),
  }
}
