import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { ROOT } from "../child"

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

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
