/**
 * The admin as static files, built once for each state of its sources and kept in `.medusa/`.
 * Medusa's development server would compile it in the browser's time, at every first visit.
 */
import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { ROOT } from "../child"
import { withFolder } from "../folder-owner"
import { fingerprint } from "./fingerprint"
import { runTool } from "./run-tool"

const BUNDLES = join(ROOT, ".medusa", "admin")

/** What the bundle is made from. */
const SOURCES = ["src/admin", "package-lock.json"]

/**
 * The folder with `index.html`; builds it first when the sources have changed (20 s on two cores).
 * @throws with the bundler's message
 */
export async function adminBundle(): Promise<string> {
  const key = await fingerprint(SOURCES)
  const directory = join(BUNDLES, key)
  if (existsSync(join(directory, "index.html"))) return directory

  // The bundler writes its entry into a folder of the checkout that has one name only.
  await withFolder(join(ROOT, ".medusa", "building-admin"), async () => {
    // Another process of this checkout may have built it meanwhile.
    if (existsSync(join(directory, "index.html"))) return
    await mkdir(BUNDLES, { recursive: true })
    await removeOutdated(key)
    // Unfinished it has another name, because a process may be killed at any moment.
    const building = `${directory}.building`
    await rm(building, { recursive: true, force: true })
    // A process of its own: the bundler's memory is free again before the first request.
    await runTool("tools/store/build-admin.ts", [building])
    await rename(building, directory)
  })
  return directory
}

const KEPT_MS = 24 * 60 * 60 * 1000

/** Not at once: another store of this checkout may still be serving an earlier state. */
async function removeOutdated(key: string) {
  const entries = await readdir(BUNDLES).catch(() => [])
  const outdated = entries.filter((entry) => entry !== key)
  await Promise.all(
    outdated.map(async (entry) => {
      const directory = join(BUNDLES, entry)
      const { mtimeMs } = await stat(directory)
      if (Date.now() - mtimeMs > KEPT_MS) await rm(directory, { recursive: true, force: true })
    }),
  )
}
