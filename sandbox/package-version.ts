/** The version of the package that this is part of. */

import { readFileSync } from "node:fs"
import path from "node:path"

/** Read from the nearest package.json, which is the package's own both in the source tree and when built. */
export function packageVersion(): string {
  for (let folder = __dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"))
      if (name === "svc-sandbox") return String(version)
    } catch {
      // No package.json in this folder.
    }
  }
  return "unknown"
}
