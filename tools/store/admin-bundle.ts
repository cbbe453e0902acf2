/**
 * The admin as static files, built once for each state of its sources and kept in `.medusa/`.
 * Medusa's development server would compile it in the browser's time, at every first visit.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import execa from "execa"
import { nodeOptionsFor } from "../child"
import { withFolder } from "../folder-owner"

export const ROOT = resolve(__dirname, "../..")
const BUNDLES = join(ROOT, ".medusa", "admin")

/** What the bundle is made from; `contract/` because the admin may import its types and constants. */
const SOURCES = ["src/admin", "src/contract"]

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Hash over names and contents, so that an edit, a rename and a new package version all count. */
export async function fingerprint(paths: string[]): Promise<string> {
  const hash = createHash("sha256")
  for (const path of paths) {
    const absolute = join(ROOT, path)
    const below = await filesBelow(absolute)
    for (const file of below.length > 0 ? below : [absolute]) {
      hash.update(relative(ROOT, file))
      hash.update(await readFile(file).catch(() => ""))
    }
  }
  return hash.digest("hex").slice(0, 16)
}

/**
 * The folder with `index.html`; builds it first when the sources have changed (20 s on two cores).
 * @throws with the bundler's message
 */
export async function adminBundle(): Promise<string> {
  const key = await fingerprint([...SOURCES, "package-lock.json"])
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

/**
 * Runs a program to its end, at most as long as this process lives.
 * @throws with the last that it printed
 */
export async function runTool(script: string, args: string[]): Promise<void> {
  const { failed, all = "" } = await execa.node(script, args, {
    cwd: ROOT,
    nodeOptions: nodeOptionsFor(script),
    all: true,
    reject: false,
  })
  if (failed) throw new Error(all.slice(-4_000))
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
