/**
 * Which running process uses a folder. A process id alone does not say: ids are given out again, and after a restart
 * of the machine or the container from the beginning. So the file names the moment at which the process started, too.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
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

/** @throws when another process is using the folder */
export async function claimFolder(directory: string): Promise<void> {
  if (await wasLeftBehind(directory)) await releaseFolder(directory)
  const me = await identityOf(process.pid)
  try {
    // Fails where there is a file already: of two that start together one gets the folder.
    await writeFile(fileIn(directory), me ?? String(process.pid), { flag: "wx" })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    const owner = pidOf((await readOwner(directory)) ?? "")
    throw new Error(
      `Another run (process ${owner}) is using ${directory}. ` +
        "Wait until it has ended, or stop it, and start again.",
    )
  }
}

export async function releaseFolder(directory: string): Promise<void> {
  await rm(fileIn(directory), { force: true })
}
