import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Where a program of the machine is, which not every machine has. Debian keeps servers where not everyone looks. */
export function findProgram(name: string): string | undefined {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
