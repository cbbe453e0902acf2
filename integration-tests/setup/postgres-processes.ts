/** The processes of a Postgres server of the tests', which runs on this machine. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * @param folder its `data_directory`
 * @returns process ids, that of the server itself in front
 */
export function postgresProcesses(folder: string): number[] {
  const [first] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(first)], { encoding: "utf8" })
  return [Number(first), ...children.split("\n").map(Number).filter(Boolean)]
}
