#!/usr/bin/env node
/**
 * The command `medusa-plugin-svc`. `sandbox` starts the sandbox, which is a package of its own, so that a store does not
 * carry a web server and pages that it never serves; the others ask a running store.
 */

import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { COMMANDS, runCommand, STORE_OPTIONS } from "./run-command"

/** Until it is published, its name on the registry is anybody's: it comes from a file. */
const SANDBOX = "svc-sandbox"

const USAGE = `Usage: medusa-plugin-svc <command>

  sandbox [options]
      a local svc for development and tests; needs the package ${SANDBOX}
${Object.values(COMMANDS)
  .map(({ usage: [how, what] }) => `  ${how}\n      ${what}\n`)
  .join("")}
${STORE_OPTIONS}`

const NOT_INSTALLED = `The sandbox is a package of its own, ${SANDBOX}, and is not installed here. Make its file in a clone of the plugin:

  npm install && npm pack -w ${SANDBOX}

and install that in your project: npm install --save-dev ./${SANDBOX}-0.1.0.tgz
`

/** The program of `svc-sandbox`, where the project of this folder or of the plugin has it. */
function findSandbox(): string | undefined {
  let manifest: string
  try {
    manifest = require.resolve(`${SANDBOX}/package.json`, { paths: [process.cwd(), __dirname] })
  } catch {
    return undefined
  }
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as {
    bin: { [SANDBOX]: string }
  }
  const program = join(dirname(manifest), bin[SANDBOX])
  return existsSync(program) ? program : undefined
}

async function main(): Promise<void> {
  const command = process.argv[2]
  if (command === undefined || command === "--help" || command === "-h") {
    process.stdout.write(USAGE)
    return
  }
  if (Object.hasOwn(COMMANDS, command)) {
    process.exitCode = await runCommand(command, process.argv.slice(3))
    return
  }
  if (command !== "sandbox") {
    process.stderr.write(`Unknown command "${command}".\n\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const program = findSandbox()
  if (program === undefined) {
    process.stderr.write(NOT_INSTALLED)
    process.exitCode = 1
    return
  }
  // What remains are the sandbox's own options.
  process.argv.splice(2, 1)
  await import(pathToFileURL(program).href)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
