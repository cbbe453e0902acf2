import {
  afterSecondAttempt,
  failedOutsideFiles,
  type RanFile,
  slowestFiles,
  tallyOf,
  triedAgain,
} from "../test-results"

/** As jest names what became of a file (`@jest/test-result`, `formatTestResult`). */
function statusOf(statuses: string[]): string {
  if (statuses.includes("failed")) return "failed"
  return statuses.includes("pending") ? "focused" : "passed"
}

const file = (name: string, ...statuses: string[]): RanFile => ({
  name,
  status: statusOf(statuses),
  startTime: 0,
  endTime: 0,
  assertionResults: statuses.map((status, index) => ({ title: `${name}.${index}`, status })),
})
const broken: RanFile = { ...file("broken"), status: "failed" }

describe("the results of a run", () => {
  it("count tests, and a file that could not be run as one failure", () => {
    const files = [file("a", "passed", "failed", "pending"), file("b", "todo"), broken]
    expect(tallyOf(files)).toEqual({ passed: 1, failed: 2, skipped: 2 })
  })

  it("name the files that took longest", () => {
    const took = Array.from({ length: 20 }, (_, n) => ({
      ...file(`/project/folder/${n}.spec.ts`, "passed"),
      startTime: 1_000,
      endTime: 1_000 + n * 1_000,
    }))
    const lines = slowestFiles(took, "/project")
    expect(lines).toHaveLength(15)
    expect(lines[0]).toBe("    19 s  folder/19.spec.ts")
  })

  it("make failed files run once more, unless too many failed", () => {
    const bad = ["a", "b", "c"].map((name) => file(name, "failed"))
    expect(triedAgain([file("good", "passed"), broken, bad[0] as RanFile])).toEqual(["broken", "a"])
    expect(triedAgain(bad)).toEqual([])
    expect(triedAgain([file("good", "passed")])).toEqual([])
  })

  it("are those of the second attempt, and say what failed at the first", () => {
    const first = [file("a", "passed", "failed"), file("b", "failed"), file("c", "passed"), broken]
    const second = [file("a", "passed", "passed"), file("b", "failed"), file("broken", "passed")]
    const { files, unsteady } = afterSecondAttempt(first, second)
    expect(tallyOf(files)).toEqual({ passed: 4, failed: 1, skipped: 0 })
    expect(unsteady).toEqual([
      { file: "a", title: "a.1" },
      { file: "broken", title: "outside its tests" },
    ])
  })

  it("name what failed at first, too, where the second attempt skipped other tests of the file", () => {
    const second = [file("a", "passed", "pending")]
    expect(second[0]?.status).toBe("focused")
    const { files, unsteady } = afterSecondAttempt([file("a", "failed", "pending")], second)
    expect(tallyOf(files)).toEqual({ passed: 1, failed: 0, skipped: 1 })
    expect(unsteady).toEqual([{ file: "a", title: "a.0" }])
  })

  it.each([
    ["nothing failed", 0, [file("a", "passed")], false],
    ["a file failed", 1, [file("a", "passed"), file("b", "failed")], false],
    ["no file failed, and jest did", 1, [file("a", "passed", "pending")], true],
    ["jest was ended, beside a file that failed", 143, [file("b", "failed")], true],
  ])("say whether something failed outside all files: %s", (_, exitCode, files, isOutside) => {
    expect(failedOutsideFiles(exitCode, files)).toBe(isOutside)
  })

  it("stay as they were where the second attempt was not made", () => {
    const first = [file("a", "failed")]
    expect(afterSecondAttempt(first, [])).toEqual({ files: first, unsteady: [] })
  })
})
