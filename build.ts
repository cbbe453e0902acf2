/**
 * `npm run build`: the plugin as Medusa packs it, and the browser SDK as a module and as a script for
 * pages without a bundler.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { type BuildOptions, build as bundle } from "esbuild"

const run = promisify(execFile)
const OUTPUT = join(__dirname, ".medusa/server")
const STOREFRONT = join(OUTPUT, "src/storefront")

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

async function bundleStorefront() {
  const shared: BuildOptions = {
    entryPoints: [join(__dirname, "src/storefront/index.ts")],
    bundle: true,
    platform: "browser",
    target: "es2020",
    legalComments: "none",
  }
  await Promise.all([
    bundle({ ...shared, format: "esm", outfile: join(STOREFRONT, "index.mjs") }),
    bundle({
      ...shared,
      format: "iife",
      // `<script src="svc-storefront.js">` puts the SDK on `window.SvcStorefront`.
      globalName: "SvcStorefront",
      minify: true,
      outfile: join(STOREFRONT, "svc-storefront.js"),
    }),
  ])
}

async function main() {
  await buildPlugin()
  await bundleStorefront()
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
