#!/usr/bin/env node

/** `svc-sandbox`: starts the sandbox, says where it is, and ends it at a signal; or one of its commands. */

import { startSandbox } from "../server"
import { checkCommand } from "./check"
import { explain, readCommand, readOptions, USAGE } from "./command-line"
import { STEERED, steer } from "./steer"
import { trigger } from "./trigger"

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2)
  if (rest.some((arg) => arg === "--help" || arg === "-h")) {
    process.stdout.write(USAGE)
    return
  }
  if (command !== undefined && command in STEERED) {
    const { words, sandboxUrl } = readCommand(rest)
    process.stdout.write(await steer(command, words, sandboxUrl))
    return
  }
  if (command === "trigger") {
    process.stdout.write(await trigger(readCommand(rest)))
    return
  }
  if (command === "check") {
    process.exitCode = await checkCommand(readCommand(rest), (text) => process.stdout.write(text))
    return
  }
  const options = readOptions(process.argv.slice(2), process.env)
  if (!options) {
    process.stdout.write(USAGE)
    return
  }
  const sandbox = await startSandbox(options)
  process.stdout.write(
    `svc sandbox ready at ${sandbox.url}\n  dashboard ${sandbox.url}/\n  player    ${sandbox.url}/player\n`,
  )
  const end = () => {
    void sandbox.close().then(() => process.exit(0))
  }
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
}

main().catch((error: Error) => {
  process.stderr.write(explain(error))
  process.exit(1)
})
