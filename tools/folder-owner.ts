/**
 * Which running process uses a folder. A process id alone does not say: ids are given out again, and after a restart
 * of the machine or the container from the beginning. So the file names the moment at which the process started, too.
 */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

const fileIn = (directory: string) => join(directory, "owner")

/** "<id> <when it started>", or undefined where no such process runs. */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (existsSync("/proc/self/stat")) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined)
    // "id (name) state parent ...": a name may hold anything, but ends with the last bracket.
    const [state, ...fields] = stat?.slice(stat.lastIndexOf(") ") + 2).split(" ") ?? []
    const isRunning = state !== undefined && state !== "Z"
    return isRunning ? `${pid} ${fields[18]}` : undefined
  }
  const started = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => undefined)
  return started && `${pid} ${started.stdout.trim()}`
}

async function readOwner(directory: string): Promise<string | undefined> {
  return await readFile(fileIn(directory), "utf8").catch(() => undefined)
}

const pidOf = (owner: string) => Number.parseInt(owner, 10)

async function isRunning(owner: string): Promise<boolean> {
  return (await identityOf(pidOf(owner))) === owner
}

/** Whether the last process that used the folder ended without a word: it was killed. */
export async function wasLeftBehind(directory: string): Promise<boolean> {
  const owner = await readOwner(directory)
  return owner !== undefined && !(await isRunning(owner))
}

/** @returns false when a process that runs is using the folder */
async function tryToClaim(directory: string): Promise<boolean> {
  if (await wasLeftBehind(directory)) await releaseFolder(directory)
  const me = await identityOf(process.pid)
  // Written under another name first: whoever reads a claim that is half written takes it for left behind.
  const written = `${fileIn(directory)}.${randomUUID()}`
  await writeFile(written, me ?? String(process.pid))
  try {
    // Fails where there is a file already: of two that start together one gets the folder.
    await link(written, fileIn(directory))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  } finally {
    await rm(written, { force: true })
  }
}

/** @throws when another process is using the folder */
export async function claimFolder(directory: string): Promise<void> {
  if (await tryToClaim(directory)) return
  const owner = pidOf((await readOwner(directory)) ?? "")
  throw new Error(
    `Another run (process ${owner}) is using ${directory}. ` +
      "Wait until it has ended, or stop it, and start again.",
  )
}

const LOOK_EVERY_MS = 200

/** Makes the folder where there is none, waits until nobody uses it, and uses it while the work goes on. */
export async function withFolder<T>(directory: string, work: () => Promise<T>): Promise<T> {
  await mkdir(directory, { recursive: true })
  while (!(await tryToClaim(directory))) await sleep(LOOK_EVERY_MS)
  try {
    return await work()
  } finally {
    await releaseFolder(directory)
  }
}

export async function releaseFolder(directory: string): Promise<void> {
  await rm(fileIn(directory), { force: true })
}
