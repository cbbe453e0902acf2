#!/usr/bin/env node
/** The command `medusa-plugin-svc`: asks a running store. The sandbox is a command of its own, `svc-sandbox`. */
import { COMMANDS, runCommand, STORE_OPTIONS } from "./run-command"

const USAGE = `Usage: medusa-plugin-svc <command>

${Object.values(COMMANDS)
  .map(({ usage: [how, what] }) => `  ${how}\n      ${what}\n`)
  .join("")}
${STORE_OPTIONS}`

async function main(): Promise<void> {
  const command = process.argv[2]
  if (command === undefined || command === "--help" || command === "-h") {
    process.stdout.write(USAGE)
  } else if (Object.hasOwn(COMMANDS, command)) {
    process.exitCode = await runCommand(command, process.argv.slice(3))
  } else {
    process.stderr.write(`Unknown command "${command}".\n\n${USAGE}`)
    process.exitCode = 2
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
