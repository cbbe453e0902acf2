/** What a process uses, as the kernel counts it; 0 where it does not tell. */
import { readFileSync } from "node:fs"

/** Resident memory in MB: now (`VmRSS`), or the highest so far (`VmHWM`). */
export function memoryMb(pid: number, which: "VmRSS" | "VmHWM"): number {
  const [, kilobytes = 0] = new RegExp(`${which}:\\s+(\\d+)`).exec(readOf(pid, "status")) ?? []
  return Number(kilobytes) / 1024
}

/** Processor time so far in ms; the kernel counts it in hundredths of a second. */
export function processorMs(pid: number): number {
  const fields = readOf(pid, "stat").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

function readOf(pid: number, file: "stat" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}
