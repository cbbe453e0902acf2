/**
 * `npm run mutate`: breaks the code that decides what gets in and what a show looks like, one place at a time, and sees
 * whether a unit test notices. Writes its report to docs/mutants.md and ends with 1 where too many go unnoticed.
 * Arguments name groups: `npm run mutate -- admission`.
 */
import { fork } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { FromAttempt } from "./attempt"
import { type Mutant, withMutants } from "./mutants"
import { type FileResult, readReport, report } from "./report"

const ROOT = resolve(__dirname, "../..")
const BUILT = join(ROOT, ".test/mutate")
const REPORT = join(ROOT, "docs/mutants.md")
/** Generated tests run this often for each mutant. */
const RUNS = { SHOW_HISTORIES: "150", RECEIVER_FUZZED: "150" }
/** A mutant that keeps its process busy for longer is one that a test would hang on. */
const MUTANT_MS = 120_000
const BASELINE_MS = 600_000

type Group = { name: string; specs: string[]; files: string[] }

const CONTRACT = "src/contract"
const SHOWS = "src/modules/svc/shows"
const WEBHOOKS = "src/modules/svc/webhooks"

const GROUPS: Group[] = [
  {
    name: "reading",
    specs: ["delivery", "signature", "fields", "listed-event"].map((name) =>
      specOf(CONTRACT, name),
    ),
    files: ["signature", "delivery", "fields", "listed-event"].map(
      (name) => `${CONTRACT}/${name}.ts`,
    ),
  },
  {
    name: "shows",
    specs: ["merge", "listing", "histories"].map((name) => specOf(SHOWS, name)),
    files: ["merge", "listing"].map((name) => `${SHOWS}/${name}.ts`),
  },
  {
    name: "admission",
    specs: ["admission", "classify-delivery", "pieces", "sender", "signature-keys"].map((name) =>
      specOf(WEBHOOKS, name),
    ),
    files: [
      "admission",
      "body-budget",
      "classify-delivery",
      "failure-meter",
      "refusal-log",
      "sender",
      "signature-keys",
    ].map((name) => `${WEBHOOKS}/${name}.ts`),
  },
]

function specOf(folder: string, name: string): string {
  return `${folder}/__tests__/${name}.unit.spec.ts`
}

async function main(wanted: string[]): Promise<boolean> {
  const groups = GROUPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  if (groups.length === 0)
    throw new Error(`There is: ${GROUPS.map(({ name }) => name).join(", ")}.`)
  mkdirSync(BUILT, { recursive: true })
  const results: FileResult[] = []
  for (const group of groups) results.push(...(await tryAll(group)))
  const { text, isGood } = report([...results, ...others(results)])
  writeFileSync(REPORT, text)
  console.log(text)
  return isGood
}

/** What the report says of files that were not tried this time. */
const others = (results: FileResult[]): FileResult[] =>
  readReport(REPORT).filter(({ file }) => !results.some((result) => result.file === file))

async function tryAll({ name, specs, files }: Group): Promise<FileResult[]> {
  const { mutants, program } = await withMutants(ROOT, files, specs)
  const programFile = join(BUILT, `${name}.cjs`)
  writeFileSync(programFile, program)
  const survived = await attemptAll(
    name,
    programFile,
    mutants.filter(({ ignored }) => ignored === null),
  )
  return files.map((file) => {
    const ofFile = mutants.filter((mutant) => mutant.file === file)
    return {
      file,
      tried: ofFile.filter(({ ignored }) => ignored === null).length,
      survived: ofFile
        .filter(({ id }) => survived.has(id))
        .map(
          ({ line, column, mutator, replacement }) =>
            `${line}:${column} ${mutator} -> ${replacement.replace(/\s+/g, " ").slice(0, 80)}`,
        ),
      ignored: ofFile.filter(({ ignored }) => ignored !== null).length,
    }
  })
}

/** @returns the ids of those that no test noticed */
function attemptAll(name: string, programFile: string, mutants: Mutant[]): Promise<Set<string>> {
  const survived = new Set<string>()
  const waiting = mutants.map(({ id }) => id)
  return new Promise((done, fail) => {
    const start = () => {
      const child = fork(join(__dirname, "attempt.ts"), [programFile], {
        execArgv: ["--import", "tsx"],
        env: { ...process.env, ...RUNS },
      })
      // A mutant that ends its process, or keeps it busy, was noticed.
      let timer = setTimeout(() => child.kill("SIGKILL"), BASELINE_MS)
      const next = () => {
        clearTimeout(timer)
        const id = waiting.shift()
        if (id === undefined) {
          child.removeAllListeners("exit").kill()
          done(survived)
          return
        }
        timer = setTimeout(() => child.kill("SIGKILL"), MUTANT_MS)
        child.send(id)
      }
      child.on("message", (message: FromAttempt) => {
        if (message.kind === "tried") {
          if (message.killedBy === null) survived.add(message.id)
          next()
        } else if (message.failures.length > 0) {
          child.removeAllListeners("exit").kill()
          fail(new Error(`Tests fail without a mutant:\n${message.failures.join("\n")}`))
        } else {
          console.log(`${name}: ${message.tests} tests, ${waiting.length} mutants to try`)
          next()
        }
      })
      let isReady = false
      child.once("message", () => {
        isReady = true
      })
      child.once("exit", (code) => {
        clearTimeout(timer)
        if (isReady) start()
        else fail(new Error(`The tests of ${name} ended with ${code} before the first mutant.`))
      })
    }
    start()
  })
}

main(process.argv.slice(2)).then(
  (good) => process.exit(good ? 0 : 1),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
