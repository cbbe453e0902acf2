/**
 * `npm test`: unit, HTTP, browser and package tests, each with what it needs, and one line at the
 * end that says how many passed and failed. Arguments go to jest: `npm test -- src/contract -t name`.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { availableParallelism, tmpdir, totalmem } from "node:os"
import { join, relative, resolve } from "node:path"
import { claimFolder, wasLeftBehind } from "../tools/folder-owner"
import { type RanTest, readProofs, unproven } from "../tools/references/proofs"
import {
  afterSecondAttempt,
  failedOutsideFiles,
  type RanFile,
  slowestFiles,
  type Tally,
  tallyOf,
  triedAgain,
} from "../tools/test-results"
import { findChromium, HOW_TO_GET_CHROMIUM } from "./setup/chromium"
import {
  inheritedEnvironment,
  startTestDatabaseServer,
  type TestDatabaseServer,
} from "./setup/database"
import { findRedis, HOW_TO_GET_REDIS } from "./setup/redis"

const ROOT = resolve(__dirname, "..")

/** Projects of jest that run together. Unit tests come first, because they say the soonest what is wrong. */
const STAGES = [["unit"], ["http", "browser", "package"]]

/** What a file of tests may take that has a store, a sandbox, a storefront and a browser. */
const BYTES_PER_FILE = 3_000_000_000
/** At least two, because one that waits for its servers leaves the processors to the other. */
const FILES_AT_ONCE = Math.max(
  2,
  Math.min(availableParallelism(), Math.floor(totalmem() / BYTES_PER_FILE)),
)

const USAGE = `Usage: npm test [-- <path>...] [-- -t <name>] [-- <options of jest>]

Runs the unit, HTTP, browser and package tests, each with what it needs, and says how many passed and failed.

  npm test -- src/contract                            by path; a file that is named runs, whatever it takes
  npm test -- integration-tests/http -t "a repeat"    by name
  npx jest --help                                     the options of jest

DATABASE_URL    use this Postgres server, whose role may create databases, instead of one of its own
CHROMIUM_PATH   the Chromium or Chrome of the browser tests
CI              a test that cannot run here is a failure, and generated tests take their values from the commit
TESTS=full      also what takes too long for each commit
SCREENSHOTS     set, browser tests photograph what they come by; one that fails does so anyway
`

/** A file that somebody names is wanted, also where it takes too long for each run. */
const namesFile = (args: string[]) =>
  args.some((arg) => statSync(resolve(ROOT, arg), { throwIfNoEntry: false })?.isFile())

function testEnvironment(args: string[], scratch: string): NodeJS.ProcessEnv {
  return {
    LOG_LEVEL: "error",
    MEDUSA_DISABLE_TELEMETRY: "true",
    ...inheritedEnvironment(),
    ...(namesFile(args) ? { TESTS: "full" } : {}),
    // Whatever a test or one of its programs leaves behind goes with this folder.
    TMPDIR: scratch,
    // Medusa imports ES modules, which jest allows only with this.
    NODE_OPTIONS: [process.env.NODE_OPTIONS, "--experimental-vm-modules", "--no-warnings"]
      .filter(Boolean)
      .join(" "),
  }
}

const SCRATCH = "svc-tests-"

/** Where the tests write; what runs that were killed left there goes now. */
async function scratchFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const left = join(tmpdir(), name)
    if (!name.startsWith(SCRATCH) || !(await wasLeftBehind(left))) continue
    await rm(left, { recursive: true, force: true }).catch(() => undefined)
  }
  const folder = await mkdtemp(join(tmpdir(), SCRATCH))
  await claimFolder(folder)
  // Where the tests run as root, a demo's Postgres runs as somebody else.
  await chmod(folder, 0o755)
  return folder
}

const isSilent = (arg: string) => arg.startsWith("--silent")

let jest: ChildProcess | undefined

const SEED_WITHOUT_GIT = 20_261_121

/** In CI what a run tries depends on the files of its commit alone, and is new with each; elsewhere it is new each time. */
function seedArguments(args: string[]): string[] {
  if (!process.env.CI || args.some((arg) => arg.startsWith("--seed"))) return []
  return [`--seed=${seedOfTree() ?? SEED_WITHOUT_GIT}`]
}

/** The first 31 bits of the commit's tree: as many as jest takes. */
function seedOfTree(): number | undefined {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: ROOT, encoding: "utf8" })
    return Number.parseInt(tree.slice(0, 8), 16) >>> 1
  } catch {
    return undefined
  }
}

/** Stores that are under way take seconds to end. */
const ENDS_WITHIN_MS = 15_000

/** With its workers: they outlive jest where it is ended by a signal. */
function endJest(signal: NodeJS.Signals): void {
  if (!jest?.pid) return
  try {
    process.kill(-jest.pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** As shells say it: jest itself exits with 0 or 1. */
const ENDED_BY_SIGNAL = 128

/** Whether any file of the projects is meant. */
function hasTests(projects: string[], args: string[], env: NodeJS.ProcessEnv): boolean {
  if (args.length === 0) return true
  const listed = execFileSync(
    process.execPath,
    [
      require.resolve("jest/bin/jest"),
      ...projects.map((name) => `--selectProjects=${name}`),
      "--listTests",
      ...args,
    ],
    { cwd: ROOT, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  )
  return listed.includes(ROOT)
}

/** @returns what each file made of it; nothing where jest wrote no report */
async function runJest(
  projects: string[],
  args: string[],
  env: NodeJS.ProcessEnv,
  output: string,
): Promise<{ exitCode: number; files?: RanFile[] }> {
  const exitCode = await new Promise<number>((resolveExit, reject) => {
    jest = spawn(
      process.execPath,
      [
        require.resolve("jest/bin/jest"),
        ...projects.map((name) => `--selectProjects=${name}`),
        `--maxWorkers=${FILES_AT_ONCE}`,
        "--passWithNoTests",
        // Not in the temporary folder, which does not outlive the run.
        `--cacheDirectory=${join(ROOT, ".test", "jest")}`,
        "--forceExit",
        // Restoring a database cuts its connections, and knex says so on the console each time.
        ...(projects.includes("http") && !args.some(isSilent) ? ["--silent"] : []),
        "--json",
        `--outputFile=${output}`,
        ...seedArguments(args),
        ...args,
      ],
      // jest prints the JSON on stdout as well unless a file is named; the report is on stderr.
      // In a group of its own, so that its workers end with it.
      { cwd: ROOT, env, stdio: ["ignore", "inherit", "inherit"], detached: true },
    )
    jest.once("error", reject)
    jest.once("exit", (code) => resolveExit(code ?? ENDED_BY_SIGNAL))
  })
  jest = undefined
  const report = await readFile(output, "utf8").then(
    (text) => JSON.parse(text) as { testResults: RanFile[] },
    () => undefined,
  )
  return { exitCode, files: report?.testResults }
}

type Stage = Tally & { ran: RanTest[]; files: RanFile[]; unsteady: string[] }

/** Each has a fault, or shows one, that depends on the moment: nobody is to overlook it among thousands that passed. */
const announced = (unsteady: string[]): string =>
  [
    "",
    "!!! Failed at first, and passed when it ran again. To be mended:",
    ...unsteady.map((test) => `!!!   ${test}`),
    // GitHub shows these at the commit.
    ...(process.env.GITHUB_ACTIONS
      ? unsteady.map((test) => `::warning::Passed at the second attempt only: ${test}`)
      : []),
    "",
  ].join("\n")

/**
 * Runs projects. In CI one or two files that failed run once more, by themselves: what fails of thousands of tests once in
 * fifty runs on a busy machine must not hide what else a commit does. It is named at the end, and to be mended.
 */
async function runProjects(
  projects: string[],
  args: string[],
  env: NodeJS.ProcessEnv,
  output: string,
): Promise<Stage> {
  const first = await runJest(projects, args, env, output)
  if (!first.files) {
    const failed = first.exitCode === 0 ? 0 : 1
    return { passed: 0, failed, skipped: 0, ran: [], files: [], unsteady: [] }
  }
  const again = process.env.CI && args.length === 0 ? triedAgain(first.files) : []
  const second =
    again.length > 0
      ? await runJest(projects, ["--runTestsByPath", ...again], env, `${output}.again`)
      : undefined
  const isBroken = [first, ...(second ? [second] : [])].some((run) =>
    failedOutsideFiles(run.exitCode, run.files ?? []),
  )
  const { files, unsteady } = afterSecondAttempt(first.files, second?.files ?? [])
  const tally = tallyOf(files)
  return {
    ...tally,
    failed: tally.failed || (isBroken ? 1 : 0),
    ran: files.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, status }) => ({ file: relative(ROOT, name), title, status })),
    ),
    files,
    unsteady: unsteady.map(({ file, title }) => `${relative(ROOT, file)}: ${title}`),
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGE)
    return 0
  }
  const scratch = await scratchFolder()
  const env = testEnvironment(args, scratch)
  const isWhole = args.length === 0
  // Those of a whole run are kept, for whoever wants to know later where its minutes went.
  const results = isWhole ? join(ROOT, ".test", "results") : scratch
  if (isWhole) await rm(results, { recursive: true, force: true })
  await mkdir(results, { recursive: true })
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    endJest("SIGTERM")
    setTimeout(() => endJest("SIGKILL"), ENDS_WITHIN_MS).unref()
  }
  process.on("SIGINT", interrupt)
  process.on("SIGTERM", interrupt)

  let database: TestDatabaseServer | undefined
  const total: Tally = { passed: 0, failed: 0, skipped: 0 }
  const ran: RanTest[] = []
  const files: RanFile[] = []
  const unsteady: string[] = []
  const remarks: string[] = []
  try {
    for (const stage of STAGES) {
      if (interrupted) break
      const projects = stage.filter((name) => name !== "browser" || findChromium())
      if (projects.length < stage.length) {
        remarks.push(`The browser tests were skipped: no Chromium. ${HOW_TO_GET_CHROMIUM}`)
        if (process.env.CI) total.failed += 1
      }
      if (!hasTests(projects, args, env)) continue
      if (!projects.includes("unit")) {
        database ??= await startTestDatabaseServer(ROOT)
        Object.assign(env, database.env)
      }
      const tally = await runProjects(projects, args, env, join(results, `${projects[0]}.json`))
      total.passed += tally.passed
      total.failed += tally.failed
      total.skipped += tally.skipped
      ran.push(...tally.ran)
      files.push(...tally.files)
      unsteady.push(...tally.unsteady)
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await database?.stop()
  }

  if (!findRedis()) {
    remarks.push(
      `The tests of several processes were skipped: no redis-server. ${HOW_TO_GET_REDIS}`,
    )
    if (process.env.CI) total.failed += 1
  }
  // Of a part of the tests nothing can be said about the table as a whole.
  if (isWhole && !interrupted && findChromium()) {
    const table = await readFile(join(ROOT, "docs", "conformance.md"), "utf8")
    const missing = unproven(readProofs(table), ran)
    total.failed += missing.length
    remarks.push(...missing.map((text) => `docs/conformance.md: ${text}.`))
  }
  if (interrupted) remarks.push("The run was interrupted.")
  if (total.passed + total.failed === 0) remarks.push("No test matches.")
  if (isWhole) console.log(["The slowest files:", ...slowestFiles(files, ROOT)].join("\n"))
  if (unsteady.length > 0) console.log(announced(unsteady))
  for (const remark of remarks) console.log(remark)
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ""
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
  return interrupted || total.failed > 0 || total.passed === 0 ? 1 : 0
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    console.log("0 passed, 1 failed")
    process.exit(1)
  },
)
