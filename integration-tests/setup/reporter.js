/**
 * The end of a run: what could not run here, and one line that says how many tests passed and failed. A whole run also
 * names the files that took longest, keeps what each test took in `.test/results.json`, and fails where a test that
 * docs/conformance.md names did not run and pass.
 */
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs")
const { join, relative } = require("node:path")
const { require: load } = require("tsx/cjs/api")

const { readProofs, unproven } = load("../../tools/references/proofs.ts", __filename)
const { findChromium, HOW_TO_GET_CHROMIUM } = load("./chromium.ts", __filename)
const { findPgBouncer } = load("./pgbouncer.ts", __filename)
const { findRedis } = load("./redis.ts", __filename)

const SLOWEST = 15

/** A line for each of the files that took longest. */
const slowestOf = (files) =>
  files
    .map(({ file, tookMs }) => [tookMs / 1000, file])
    .sort(([one], [other]) => other - one)
    .slice(0, SLOWEST)
    .map(([seconds, file]) => `${seconds.toFixed(0).padStart(6)} s  ${file}`)

module.exports = class {
  constructor({ rootDir, projects, nonFlagArgs, testNamePattern, onlyChanged, runTestsByPath }) {
    this.rootDir = rootDir
    this.projects = projects.length
    this.isFiltered =
      nonFlagArgs.length > 0 || Boolean(testNamePattern) || onlyChanged || runTestsByPath
  }

  onRunComplete(contexts, results) {
    const isWhole = !this.isFiltered && contexts.size === this.projects
    const problems = []
    const files = results.testResults.map(({ testFilePath, perfStats, testResults }) => ({
      file: relative(this.rootDir, testFilePath),
      tookMs: perfStats.end - perfStats.start,
      tests: testResults.map(({ title, status, duration }) => ({ title, status, duration })),
    }))
    if (isWhole) {
      mkdirSync(join(this.rootDir, ".test"), { recursive: true })
      writeFileSync(join(this.rootDir, ".test/results.json"), JSON.stringify(files))
      console.log(["The slowest files:", ...slowestOf(files)].join("\n"))
      problems.push(...this.missing(files))
    }
    for (const problem of problems) console.log(problem)
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests } = results
    // A file that could not be run, or failed outside its tests, counts as one failure.
    const failed =
      numFailedTests + numRuntimeErrorTestSuites + (this.hasFailed ? problems.length : 0)
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ""
    console.log(`${numPassedTests} passed, ${failed} failed${skipped}`)
  }

  /** Of a part of the tests nothing can be said about the whole. */
  missing(files) {
    const here = []
    if (!findChromium())
      here.push(`The browser tests were skipped: no Chromium. ${HOW_TO_GET_CHROMIUM}`)
    if (!findRedis()) {
      here.push(
        "Tests of several processes were skipped: no redis-server (Debian: apt-get install redis-server).",
      )
    }
    if (!findPgBouncer()) {
      here.push(
        "The tests of a store behind PgBouncer were skipped (Debian: apt-get install pgbouncer).",
      )
    }
    if (here.length > 0) {
      // In CI a test that cannot run is one that nobody runs.
      this.hasFailed = Boolean(process.env.CI)
      return here
    }
    const table = readFileSync(join(this.rootDir, "docs/conformance.md"), "utf8")
    const ran = files.flatMap(({ file, tests }) => tests.map((test) => ({ file, ...test })))
    const rows = unproven(readProofs(table), ran).map((text) => `docs/conformance.md: ${text}.`)
    this.hasFailed = rows.length > 0
    return rows
  }

  /** What makes jest itself end with a failure. */
  getLastError() {
    return this.hasFailed ? new Error("The run as a whole failed.") : undefined
  }
}
