/** A TypeScript program of this checkout as a child process that is waited for and ended cleanly. */
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream, mkdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"

const ROOT = resolve(__dirname, "..")
const preloaded = (path: string) => ["--import", pathToFileURL(path).href]

/** Node's arguments that end a program with whoever started it, killed or not; it needs an IPC channel. */
export const ENDS_WITH_PARENT = preloaded(resolve(__dirname, "end-with-parent.mjs"))
/** Node's arguments for a program of this checkout. */
export const RUNS_TYPESCRIPT = preloaded(require.resolve("tsx"))

export type ChildOptions = {
  /** For messages: "the sandbox". */
  name: string
  /** Relative to the root of the checkout. */
  script: string
  args?: string[]
  env?: Record<string, string>
  /** Answers with 2xx as soon as the program can be used. */
  readyUrl: string
  /** Everything the program prints; without it the last lines are kept for error messages. */
  logFile?: string
  timeoutMs?: number
  /** Ends the wait and the program. */
  signal?: AbortSignal
  /** What the program says it is doing, by `reportProgress`. */
  onProgress?: (text: string) => void
}

type Progress = { progress: string }

function isProgress(message: unknown): message is Progress {
  return (
    typeof message === "object" &&
    message !== null &&
    typeof (message as Partial<Progress>).progress === "string"
  )
}

/** For the program's side: tells whoever waits for it what it is doing. */
export function reportProgress(progress: string): void {
  process.send?.({ progress } satisfies Progress)
}

export type RunningChild = {
  name: string
  pid: number
  /** The last lines it printed. */
  output: () => string
  /** Resolves when it has ended, by itself or not. */
  ended: Promise<{ code: number | null; expected: boolean }>
  /** SIGTERM, and SIGKILL after ten seconds; idempotent. */
  stop: () => Promise<void>
  /** SIGKILL, for people in a hurry. */
  kill: () => void
}

const KEPT_OUTPUT = 8_000
const POLL_MS = 50
const KILL_AFTER_MS = 10_000

const pause = (ms: number) => new Promise<void>((resolveNow) => setTimeout(resolveNow, ms))

async function answers(url: string, signal: AbortSignal | undefined): Promise<boolean> {
  const signals = [AbortSignal.timeout(10_000), ...(signal ? [signal] : [])]
  try {
    return (await fetch(url, { signal: AbortSignal.any(signals) })).ok
  } catch {
    return false
  }
}

function capture(child: ChildProcess, logFile: string | undefined): () => string {
  if (logFile) mkdirSync(dirname(logFile), { recursive: true })
  const log = logFile ? createWriteStream(logFile) : undefined
  let kept = ""
  const keep = (chunk: Buffer) => {
    log?.write(chunk)
    kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT)
  }
  child.stdout?.on("data", keep)
  child.stderr?.on("data", keep)
  child.once("close", () => log?.end())
  return () => kept.trim()
}

/** @throws with what the program printed, when it ends or does not answer in time */
export async function startChild(options: ChildOptions): Promise<RunningChild> {
  const args = [...RUNS_TYPESCRIPT, ...ENDS_WITH_PARENT, options.script, ...(options.args ?? [])]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env },
    // A group of its own, so that Ctrl-C reaches the parent alone and the order of ending is
    // ours; the IPC channel tells the program when the parent is gone for good.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  const output = capture(child, options.logFile)
  child.on("message", (message) => {
    if (isProgress(message)) options.onProgress?.(message.progress)
  })
  let stopping = false
  const ended = new Promise<{ code: number | null; expected: boolean }>((resolveEnd) => {
    child.once("exit", (code) => resolveEnd({ code, expected: stopping }))
    child.once("error", () => resolveEnd({ code: 1, expected: false }))
  })

  const stop = async () => {
    stopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS)
    await ended
    clearTimeout(timer)
  }

  const deadline = Date.now() + (options.timeoutMs ?? 120_000)
  let running = true
  void ended.then(() => {
    running = false
  })
  while (!(await answers(options.readyUrl, options.signal))) {
    if (!running) {
      throw new Error(`${options.name} ended before it was ready.\n${output()}`)
    }
    if (options.signal?.aborted) {
      await stop()
      throw new Error(`${options.name} was stopped.`)
    }
    if (Date.now() > deadline) {
      await stop()
      throw new Error(`${options.name} did not become ready in time.\n${output()}`)
    }
    await pause(POLL_MS)
  }
  return {
    name: options.name,
    pid: child.pid ?? 0,
    output,
    ended,
    stop,
    kill: () => void child.kill("SIGKILL"),
  }
}
