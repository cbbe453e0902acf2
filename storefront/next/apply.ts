/** What a step makes of a file, and back. Pure. */
import type { Step } from "./steps"

/** @param text of the file; null where there is none */
export type Outcome =
  | { state: "change"; text: string | null }
  | { state: "done" }
  /** The file is not as the starter has it. */
  | { state: "unknown" }

/** @param created the text of the new file, where the step makes one */
export function addStep(step: Step, text: string | null, created: string): Outcome {
  if ("create" in step) {
    if (text === null) return { state: "change", text: created }
    return same(text, created) ? { state: "done" } : { state: "unknown" }
  }
  return replaceAll(text, step.edits)
}

/** A file that was made and changed by hand since is not ours to delete. */
export function removeStep(step: Step, text: string | null, created: string): Outcome {
  if ("create" in step) {
    if (text === null) return { state: "done" }
    return same(text, created) ? { state: "change", text: null } : { state: "unknown" }
  }
  const back = step.edits.map(({ find, put, times = 1 }) => ({ find: put, put: find, times }))
  return replaceAll(text, back)
}

const unix = (text: string) => text.replaceAll("\r\n", "\n")
const same = (one: string, other: string) => unix(one) === unix(other)
const count = (text: string, part: string) => text.split(part).length - 1

/** All or nothing: half of a step is a file that does not compile. */
function replaceAll(
  text: string | null,
  edits: readonly { find: string; put: string; times?: number }[],
): Outcome {
  if (text === null) return { state: "unknown" }
  const isWindows = text.includes("\r\n")
  let changed = unix(text)
  let isDone = true
  for (const { find, put, times = 1 } of edits) {
    // Either text may hold the other: an insertion holds what was there, and on the way back it is the other way round.
    const rest = find.includes(put) ? changed : changed.replaceAll(put, "")
    if (!rest.includes(find) && count(changed, put) === times) continue
    if (count(rest, find) !== times || count(changed, find) !== times) {
      return { state: "unknown" }
    }
    changed = changed.replaceAll(find, () => put)
    isDone = false
  }
  if (isDone) return { state: "done" }
  return { state: "change", text: isWindows ? changed.replaceAll("\n", "\r\n") : changed }
}

const MARK = "# The live shows: svc-storefront"

/** What a file of settings says of it, in any form that Next reads: what stands last in the file wins. */
export function said(text: string | null, key: string): string | undefined {
  const line = new RegExp(`^\\s*(?:export\\s+)?${key}\\s*[=:]([^#\\r\\n]*)`, "gm")
  const [, value] = [...(text ?? "").matchAll(line)].at(-1) ?? []
  return value?.trim().replace(/^(["'`])(.*)\1$/, "$2")
}

/** Adds the lines whose keys are not there yet, below a mark by which they are found again. */
export function addEnv(text: string | null, values: Record<string, string>): Outcome {
  const lines = Object.entries(values).filter(([key]) => said(text, key) === undefined)
  if (lines.length === 0) return { state: "done" }
  // A file may end without a line break, and the mark would become part of its last value.
  const before = text ? text.replace(/([^\n])$/, "$1\n") : ""
  const added = [MARK, ...lines.map(([key, value]) => `${key}=${value}`), ""].join("\n")
  return { state: "change", text: before + added }
}

/** Takes out what stands below each mark: there is one for each time that lines were missing. */
export function removeEnv(text: string | null, keys: readonly string[]): Outcome {
  let isOurs = false
  const lines = (text ?? "").split("\n")
  const rest = lines.filter((line) => {
    const isMark = line.trim() === MARK
    isOurs = isMark || (isOurs && keys.some((key) => line.startsWith(`${key}=`)))
    return !isOurs
  })
  if (rest.length === lines.length) return { state: "done" }
  return { state: "change", text: rest.join("").trim() ? rest.join("\n") : null }
}

/** How the starter's files import a file that a step makes: `lib/svc-checkout`. */
const importedAs = ({ file }: Step): string =>
  file.replace(/^src\//, "").replace(/(\/index)?\.tsx?$/, "")

/**
 * The files that stay because something imports them that somebody has changed: without them the shop would not build.
 *
 * @param stays texts of the files that are left as they are
 */
export function stillImported(
  made: readonly { step: Step; text: string }[],
  stays: readonly string[],
): Step[] {
  const kept = made.filter(({ step }) =>
    stays.some((text) => new RegExp(`${importedAs(step)}["']`).test(text)),
  )
  if (kept.length === 0) return []
  const others = made.filter((one) => !kept.includes(one))
  const below = stillImported(
    others,
    kept.map(({ text }) => text),
  )
  return [...kept.map(({ step }) => step), ...below]
}
