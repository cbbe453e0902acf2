/** Preloaded into a program: sends it SIGTERM when the process that started it is gone, so that nothing is left running. */
import { readFileSync } from "node:fs"

const end = () => process.kill(process.pid, "SIGTERM")

// The channel closes with the parent, also when that was killed with SIGKILL.
process.once("disconnect", end)
// Without this the open channel would keep a program alive that has nothing left to do.
process.channel?.unref()

/**
 * Who our parents are. npm starts a shell that starts us, so on Linux it is the parent's parent that may go; on other
 * systems the shell is replaced by us, and the parent is npm itself.
 */
function lineage() {
  const { ppid } = process
  try {
    // "pid (name) state parent": a name may hold anything but ends with the last bracket.
    return `${ppid} ${readFileSync(`/proc/${ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]}`
  } catch {
    return String(ppid)
  }
}

// npm passes a signal on to its shell only. The shell dies of it and tells us nothing, so we watch for a new parent.
if (process.env.npm_lifecycle_event) {
  const parents = lineage()
  const watch = setInterval(() => {
    if (lineage() === parents) return
    clearInterval(watch)
    end()
  }, 250)
  watch.unref()
}
