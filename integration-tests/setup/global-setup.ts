/** Before tests that need a store or programs: their Postgres, and a folder for all that they write. Jest runs it once. */
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ROOT } from "../../tools/child"
import { claimFolder, wasLeftBehind } from "../../tools/folder-owner"
import { startTestDatabaseServer } from "./database"

const SCRATCH = "svc-tests-"

/** What a test or one of its programs leaves behind goes with it; what runs that were killed left there goes now. */
async function scratchFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const left = join(tmpdir(), name)
    if (!name.startsWith(SCRATCH) || !(await wasLeftBehind(left))) continue
    await rm(left, { recursive: true, force: true }).catch(() => undefined)
  }
  const folder = await mkdtemp(join(tmpdir(), SCRATCH))
  await claimFolder(folder)
  // Where the tests run as root, a demo's Postgres runs as somebody else.
  await chmod(folder, 0o755)
  return folder
}

/** For `global-teardown.ts`, which jest loads by itself. */
export type Running = { endOfTests?: () => Promise<void> }

/** The workers of jest start afterwards, and inherit what is set here. */
export default async function globalSetup(): Promise<void> {
  const before = process.env.TMPDIR
  const scratch = await scratchFolder()
  const database = await startTestDatabaseServer(ROOT)
  Object.assign(process.env, database.env, {
    TMPDIR: scratch,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
    MEDUSA_DISABLE_TELEMETRY: "true",
  })
  const running = globalThis as Running
  running.endOfTests = async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(scratch, { recursive: true, force: true })
    await database.stop()
  }
}
