/**
 * Runs the tests of a program with mutants, once as the code is and then for one mutant after the other, as its parent
 * names them. A process of its own, because a mutant may end it or keep it busy for ever.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Script } from "node:vm"
import { expect } from "expect"
import { ModuleMocker } from "jest-mock"

type Test = { name: string; run: () => unknown }
export type FromAttempt =
  | { kind: "ready"; failures: string[]; tests: number }
  | { kind: "tried"; id: string; killedBy: string | null }

/** Generated values, the same for every mutant. */
const SEED = 20_261_121
/** A test takes no longer: a mutant may leave a promise unsettled. */
const TEST_MS = 10_000
/** A mutant runs no more often: it may make a loop endless. */
const HITS = 2_000_000

const [programFile = ""] = process.argv.slice(2)
const program = new Script(
  `(function (require, exports, module, describe, it, beforeEach, afterEach, expect, jest) {${readFileSync(programFile, "utf8")}\n})`,
  { filename: programFile },
)
const requireHere = createRequire(programFile)
const mocker = new ModuleMocker(globalThis)

/** Loaded anew for each mutant, because some stand in code that runs as a module is loaded. */
function load(): Test[] {
  const tests: Test[] = []
  const before: (() => unknown)[] = []
  const after: (() => unknown)[] = []
  const path: string[] = []
  const describe = (name: string, define: () => void) => {
    path.push(name)
    define()
    path.pop()
  }
  const it = (name: string, test: () => unknown) => {
    tests.push({
      name: [...path, name].join(" "),
      run: async () => {
        for (const hook of before) await hook()
        try {
          await test()
        } finally {
          for (const hook of after) await hook()
        }
      },
    })
  }
  const each =
    (define: (name: string, test: () => unknown) => void) =>
    (rows: unknown[]) =>
    (name: string, test: (...row: unknown[]) => unknown) => {
      for (const [index, row] of rows.entries()) {
        define(`${name} [${index}]`, () => test(...(Array.isArray(row) ? row : [row])))
      }
    }
  const jest = {
    getSeed: () => SEED,
    fn: (implementation?: () => unknown) => mocker.fn(implementation),
    spyOn: mocker.spyOn.bind(mocker),
  }
  const module = { exports: {} }
  program.runInThisContext()(
    requireHere,
    module.exports,
    module,
    Object.assign(describe, { each: each(describe) }),
    Object.assign(it, { each: each(it) }),
    (hook: () => unknown) => before.push(hook),
    (hook: () => unknown) => after.push(hook),
    expect,
    jest,
  )
  return tests
}

/** What is wrong, or null of a test that passes. */
async function problemOf({ run }: Test): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It did not end.")), TEST_MS)
  })
  try {
    await Promise.race([run(), tooLong])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds that each test takes: the quick ones find most mutants. */
const costs: number[] = []

async function main(): Promise<void> {
  const stryker: { activeMutant?: string; hitCount?: number; hitLimit?: number } = {}
  Object.assign(globalThis, { __stryker__: stryker })
  // What a mutant leaves behind must not end the process for the next one.
  process.on("unhandledRejection", () => undefined)
  const failures: string[] = []
  for (const [index, test] of load().entries()) {
    const began = performance.now()
    const problem = await problemOf(test)
    costs[index] = performance.now() - began
    if (problem) failures.push(`${test.name}: ${problem}`)
  }
  const order = costs.map((_, index) => index).sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0))
  process.on("message", (id: string) => void attempt(id).then(tell))
  tell({ kind: "ready", failures, tests: costs.length })

  async function attempt(id: string): Promise<FromAttempt> {
    Object.assign(stryker, { activeMutant: id, hitCount: 0, hitLimit: HITS })
    let killedBy: string | null = null
    try {
      const tests = load()
      for (const index of order) {
        const test = tests[index]
        if (test && (await problemOf(test)) !== null) {
          killedBy = test.name
          break
        }
      }
    } catch {
      killedBy = "loading the module"
    }
    stryker.activeMutant = undefined
    return { kind: "tried", id, killedBy }
  }
}

const tell = (message: FromAttempt): void => void process.send?.(message)

void main()
