/**
 * `npm run build -w svc-storefront`: the SDK as ES modules and as CommonJS, each file with its types, and as scripts for
 * pages without a bundler, and the command that connects Medusa's Next.js starter. The plugin's own build copies the result, so that `medusa-plugin-svc/storefront` works in a
 * store that has not installed this package.
 */
import { execFile } from "node:child_process"
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type BuildOptions, build as bundle } from "esbuild"

const run = promisify(execFile)
const DIST = join(__dirname, "dist")

/** Node and TypeScript read `type` from the nearest package.json, so each folder says what its files are. */
const FORMATS = [
  { folder: "esm", type: "module", module: "ES2022", moduleResolution: "bundler" },
  { folder: "cjs", type: "commonjs", module: "CommonJS", moduleResolution: "node10" },
]

async function compile({ folder, type, module, moduleResolution }: (typeof FORMATS)[number]) {
  const outDir = join(DIST, folder)
  const options = {
    noEmit: "false",
    rootDir: join(__dirname, "src"),
    outDir,
    module,
    moduleResolution,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  await mkdir(outDir, { recursive: true })
  await run(process.execPath, [
    require.resolve("typescript/bin/tsc"),
    "-p",
    __dirname,
    ...args,
  ]).catch((error: { stdout?: string }) => {
    throw new Error(`The storefront SDK does not compile.\n${error.stdout}`)
  })
  await writeFile(join(outDir, "package.json"), `${JSON.stringify({ type })}\n`)
  for (const name of await readdir(outDir)) {
    if (!name.endsWith(".d.ts")) continue
    // TypeScript rewrites the extensions in the code only.
    const types = await readFile(join(outDir, name), "utf8")
    await writeFile(join(outDir, name), types.replace(/(from "\.\/[^"]+)\.ts"/g, '$1.js"'))
  }
}

const SCRIPT: BuildOptions = {
  bundle: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2020",
  legalComments: "none",
}

/** `<script src="svc-storefront.js">` puts the SDK on `window.SvcStorefront`; `svc-live-now.js` defines the element. */
async function bundleScripts() {
  await Promise.all([
    bundle({
      ...SCRIPT,
      entryPoints: [join(__dirname, "src/index.ts")],
      globalName: "SvcStorefront",
      outfile: join(DIST, "svc-storefront.js"),
    }),
    bundle({
      ...SCRIPT,
      entryPoints: [join(__dirname, "src/live-now.ts")],
      outfile: join(DIST, "svc-live-now.js"),
    }),
  ])
}

/** `npx --no-install svc-storefront`, and the files that it puts into a storefront. */
async function bundleCommand() {
  await bundle({
    bundle: true,
    platform: "node",
    target: "node18",
    format: "cjs",
    entryPoints: [join(__dirname, "next/command.ts")],
    outfile: join(DIST, "next/command.js"),
  })
  await cp(join(__dirname, "next/files"), join(DIST, "next/files"), { recursive: true })
}

export async function buildStorefront(): Promise<string> {
  await rm(DIST, { recursive: true, force: true })
  await Promise.all([...FORMATS.map(compile), bundleScripts(), bundleCommand()])
  return DIST
}

if (require.main === module) {
  buildStorefront().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
