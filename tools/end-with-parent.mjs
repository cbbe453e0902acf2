/** Loaded into programs that must not outlive whoever started them: asks for their end in its stead. */
import { readFileSync } from "node:fs"

const end = () => process.kill(process.pid, "SIGTERM")

// A parent that died without a chance to say so, where it holds an IPC channel.
process.once("disconnect", end)
// Listening must not keep a program alive that has nothing else to do.
process.channel?.unref()

/** The parent's parent where there is a `/proc`; elsewhere the shell of npm becomes the program and is none between. */
function lineage() {
  const { ppid } = process
  try {
    // "pid (name) state parent": a name may hold anything but ends with the last bracket.
    return `${ppid} ${readFileSync(`/proc/${ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]}`
  } catch {
    return String(ppid)
  }
}

// npm passes a signal on to its shell only, and the shell dies of it without a word to the program.
if (process.env.npm_lifecycle_event) {
  const parents = lineage()
  const watch = setInterval(() => {
    if (lineage() === parents) return
    clearInterval(watch)
    end()
  }, 250)
  watch.unref()
}
