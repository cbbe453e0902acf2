/** `npm run build -w svc-sandbox`: the package as it is published, in `dist/`. */
import { execFile } from "node:child_process"
import { chmod, mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { bundlePages } from "./web/bundle"

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

async function finishPages() {
  for (const [name, content] of await bundlePages({ minify: true })) {
    const file = join(DIST, "web", "finished", name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  // Only the source tree makes pages: the package does not have esbuild.
  for (const name of ["bundle.js", "bundle.d.ts"]) await rm(join(DIST, "web", name))
}

async function main() {
  await rm(DIST, { recursive: true, force: true })
  await compile()
  await finishPages()
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
