/** `npm run build -w svc-sandbox`: the package as it is published, in `dist/`. */
import { execFile } from "node:child_process"
import { chmod, cp, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const DIST = join(__dirname, "dist")

async function compile() {
  try {
    await run(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", __dirname])
  } catch (error) {
    // The compiler prints what is wrong on stdout.
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    throw new Error(`The sandbox does not compile.\n${stdout}${stderr}`)
  }
  await chmod(join(DIST, "cli", "bin.js"), 0o755)
}

async function copyPages() {
  for (const folder of ["dashboard", "player"]) {
    await cp(join(__dirname, "web", folder), join(DIST, "web", folder), { recursive: true })
  }
}

async function main() {
  await rm(DIST, { recursive: true, force: true })
  await compile()
  await copyPages()
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
