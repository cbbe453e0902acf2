#!/usr/bin/env node
/**
 * `npx --no-install svc-storefront add next`: connects Medusa's Next.js starter. Shows what it would change; `--apply` changes it.
 * Needs nothing but Node.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { addEnv, addStep, type Outcome, removeEnv, removeStep, said, stillImported } from "./apply"
import { showDiff } from "./diff"
import { byHand, guide } from "./guide"
import { ENV, STEPS, type Step } from "./steps"

const FILES = join(__dirname, "files")

const USAGE = `Connects Medusa's Next.js starter to the player. Run it in the storefront's folder.

  svc-storefront add next --store <address> --player <address> --page <uid> [--apply]
  svc-storefront remove next [--apply]
  svc-storefront guide next

add      shows what it would change; --apply changes it
remove   takes it back
guide    the same steps by hand

--store   the Medusa server as a browser reaches it, such as https://store.example.com
--player  the player's script; its address is in the service's settings
--page    the page's uid
What .env.local has already need not be said.`

const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null)
const createdBy = (step: Step) =>
  "create" in step ? readFileSync(join(FILES, step.create), "utf8") : ""

function main(args: string[], folder: string): number {
  const text = { type: "string" } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      apply: { type: "boolean" },
      help: { type: "boolean" },
      store: text,
      player: text,
      page: text,
    },
  })
  const [verb, what] = positionals
  if (values.help || what !== "next" || !["add", "remove", "guide"].includes(verb ?? "")) {
    console.log(USAGE)
    return values.help ? 0 : 1
  }
  if (verb === "guide") {
    process.stdout.write(guide(readFileSync(join(FILES, "guide.txt"), "utf8"), createdBy))
    return 0
  }
  if (!existsSync(join(folder, "src/app/[countryCode]"))) {
    console.error(
      "This folder is not Medusa's Next.js starter: it has no src/app/[countryCode]. Run the command in the storefront's folder.",
    )
    return 1
  }
  const isAdd = verb === "add"

  const outcomes: (Looked & { file: string })[] = []
  const env = read(join(folder, ".env.local"))
  // What the file has wins. An example says nothing: it comes with a command that was copied.
  const lacking = ENV.filter(({ key, option, example }) =>
    ["", "…", example].includes(said(env, key) ?? values[option] ?? ""),
  )
  if (isAdd && values.apply && lacking.length > 0) {
    const wanted = lacking.map(({ key, option, example }) =>
      said(env, key) === undefined ? `  --${option} ${example}` : `  ${key}, in the file itself`,
    )
    console.error(
      `Please say what belongs into .env.local, in place of an example:\n${wanted.join("\n")}`,
    )
    return 1
  }
  const others = ENV.filter(({ key, option }) => {
    const there = said(env, key)
    return isAdd && values[option] && there !== undefined && there !== values[option]
  })
  const lines = Object.fromEntries(
    ENV.map(({ key, option, example }) => [key, values[option] ?? example]),
  )
  outcomes.push({
    file: ".env.local",
    before: env,
    outcome: isAdd
      ? addEnv(env, lines)
      : removeEnv(
          env,
          ENV.map(({ key }) => key),
        ),
  })
  for (const step of STEPS) {
    const before = read(join(folder, step.file))
    const outcome = (isAdd ? addStep : removeStep)(step, before, createdBy(step))
    outcomes.push({ file: step.file, before, outcome, step })
  }

  let changed = 0
  const unknown: Step[] = []
  const needed = isAdd ? [] : neededBy(outcomes)
  for (const { file, before, outcome, step } of outcomes) {
    if (step && needed.includes(step)) continue
    if (outcome.state === "unknown" && step) unknown.push(step)
    if (outcome.state !== "change") continue
    changed += 1
    console.log(showDiff(file, before, outcome.text))
    if (values.apply) write(join(folder, file), outcome.text)
  }
  for (const step of unknown) {
    console.log(`\nNot recognised, and left as it is: ${step.file} (${step.title}).`)
    if (isAdd) console.log(`By hand:\n\n${byHand(step, createdBy(step))}`)
    else console.log("It is not as this version made it. Please take it back by hand.")
  }
  for (const { file } of needed) console.log(`\nLeft for the sake of those: ${file}.`)
  for (const { key, option } of others) {
    console.log(`\nLeft as it is in .env.local: ${key} is not ${values[option]} there.`)
  }
  const files = changed === 1 ? "1 file" : `${changed} files`
  if (changed === 0) {
    const nothing = isAdd ? "Everything is there." : "There is nothing to take back."
    if (unknown.length === 0 && others.length === 0) console.log(nothing)
  } else if (values.apply) console.log(`\n${files} changed.`)
  else console.log(`\n${files} would change. Nothing has been written: add --apply to do it.`)
  return unknown.length > 0 ? 1 : 0
}

type Looked = { before: string | null; outcome: Outcome; step?: Step }

/** Files that would be deleted, and that one imports which is left as it is. */
function neededBy(looked: readonly Looked[]): Step[] {
  const made = looked.flatMap(({ step, before, outcome }) =>
    step && before !== null && outcome.state === "change" && outcome.text === null
      ? [{ step, text: before }]
      : [],
  )
  const stays = looked.filter(({ outcome }) => outcome.state === "unknown")
  return stillImported(
    made,
    stays.flatMap(({ before }) => before ?? []),
  )
}

function write(path: string, text: string | null): void {
  if (text !== null) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return
  }
  rmSync(path)
  try {
    // A folder that was made for this file. One that holds anything else stays.
    rmdirSync(dirname(path))
  } catch {
    // It holds something else.
  }
}

try {
  process.exitCode = main(process.argv.slice(2), process.cwd())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
