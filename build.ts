/**
 * `npm run build`: the plugin as Medusa builds it, without what nobody who installs it can use, and a copy of the browser
 * SDK. `npm pack` and `npm publish` run it (`prepack`); `medusa plugin:build` alone makes only the first part.
 *
 * The SDK is a package of its own (`storefront/`). The plugin carries a copy instead of depending on it, so that
 * `medusa-plugin-svc/storefront` is always the SDK that fits this version of the routes, and so that the plugin installs
 * where that package is not published.
 */
import { execFile } from "node:child_process"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { buildStorefront } from "./storefront/build"
import { publishTypes } from "./tools/package/declarations"
import { slim } from "./tools/package/slim"

const run = promisify(execFile)
const OUTPUT = join(__dirname, ".medusa/server")

async function buildPlugin() {
  const cli = join(require.resolve("@medusajs/cli/package.json"), "..", "cli.js")
  try {
    // Type errors end it with code 1: what does not compile is not packed.
    await run(process.execPath, [cli, "plugin:build"], {
      cwd: __dirname,
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    throw new Error(`medusa plugin:build failed.\n${stdout}${stderr}`)
  }
}

async function copyStorefront() {
  const built = await buildStorefront()
  await cp(built, join(OUTPUT, "storefront"), {
    recursive: true,
    // The command for the Next.js starter is run in the storefront, where the package of the SDK is.
    filter: (path) => path !== join(built, "next"),
  })
}

async function main() {
  await buildPlugin()
  await publishTypes(join(OUTPUT, "src"))
  await copyStorefront()
  await slim(OUTPUT)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
