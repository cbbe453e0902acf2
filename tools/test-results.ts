/** What jest reports of a run, how it is counted, and what a second attempt changes about it. Pure. */
import { relative } from "node:path"
import type { RanTest } from "./references/proofs"

/** A file of tests, as jest's JSON has it. */
export type RanFile = {
  name: string
  /** `failed`; `passed`; `focused`, which passed as well, with tests that were skipped; `skipped`. */
  status: string
  /** Milliseconds since 1970. */
  startTime: number
  endTime: number
  assertionResults: { title: string; status: string }[]
}

export type Tally = { passed: number; failed: number; skipped: number }

/** What jest exits with where files failed. */
const FILES_FAILED = 1

/** More failed files than this are no accident, and a second attempt would only take time. */
const MOST_FILES_TRIED_AGAIN = 2

/** A file that could not be run, or failed outside its tests, counts as one failure. */
export function tallyOf(files: RanFile[]): Tally {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of files) {
    const count = (wanted: string) =>
      assertionResults.filter((test) => test.status === wanted).length
    const [passed, failed] = [count("passed"), count("failed")]
    tally.passed += passed
    tally.failed += failed || (status === "failed" ? 1 : 0)
    tally.skipped += assertionResults.length - passed - failed
  }
  return tally
}

/**
 * Whether a run failed by something that no file of tests shows: a broken configuration, or that jest itself was ended. It
 * stays a failure, whatever a second attempt of failed files makes of those.
 */
export function failedOutsideFiles(exitCode: number, files: RanFile[]): boolean {
  if (exitCode === 0) return false
  return exitCode !== FILES_FAILED || !files.some(({ status }) => status === "failed")
}

/** The failed files that run once more: none where too many failed. */
export function triedAgain(files: RanFile[]): string[] {
  const failed = files.filter(({ status }) => status === "failed").map(({ name }) => name)
  return failed.length <= MOST_FILES_TRIED_AGAIN ? failed : []
}

/**
 * The results with those of the second attempt in place of the first. A file that the second attempt did not reach keeps
 * its first result.
 *
 * @returns `unsteady`: the tests that failed and then passed, by file and title
 */
export function afterSecondAttempt(
  first: RanFile[],
  second: RanFile[],
): { files: RanFile[]; unsteady: Pick<RanTest, "file" | "title">[] } {
  const again = new Map(second.map((file) => [file.name, file]))
  const unsteady = first.flatMap((file) => {
    const other = again.get(file.name)
    if (!other || other.status === "failed") return []
    const failed = file.assertionResults.filter(({ status }) => status === "failed")
    const titles = failed.length > 0 ? failed.map(({ title }) => title) : ["outside its tests"]
    return titles.map((title) => ({ file: file.name, title }))
  })
  return { files: first.map((file) => again.get(file.name) ?? file), unsteady }
}

const SLOWEST = 15

/** A line for each of the files that took longest. @param root what their names are relative to */
export function slowestFiles(files: RanFile[], root: string): string[] {
  const took = files.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
  return took
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${file}`)
}
