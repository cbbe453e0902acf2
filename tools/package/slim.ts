/**
 * Takes out of the built plugin what nobody who installs it can use: half of what Medusa's build writes are source maps,
 * comments, and the admin in a second module format. Its types are in `declarations.ts`.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { transform } from "esbuild"

/** @param folder `.medusa/server/src`: what `medusa plugin:build` writes */
export async function slim(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).map((file) => join(folder, file))
  const admin = join(folder, "admin")
  await Promise.all([
    ...files
      .filter((file) => file.endsWith(".js") && dirname(file) !== admin)
      .map((file) => rewrite(file, { minify: false })),
    slimAdmin(admin),
  ])
}

/**
 * Of the admin's two formats the ES module stays, under the name of the other one: Medusa makes the store's style sheet from
 * the class names that it finds in the plugin's `*.js`, and in nothing else. Vite bundles it again into the admin of the
 * store; what is read there is the source of the repository.
 */
async function slimAdmin(folder: string): Promise<void> {
  const module = join(folder, "index.js")
  await rename(join(folder, "index.mjs"), module)
  await writeFile(join(folder, "package.json"), '{"type":"module"}\n')
  await rewrite(module, { minify: true })
}

/** Lines stay lines without `minify`, so that a stack trace names a place that can be read. */
async function rewrite(file: string, { minify }: { minify: boolean }): Promise<void> {
  const { code } = await transform(await readFile(file, "utf8"), {
    loader: "js",
    target: "node20",
    legalComments: "none",
    minify,
  })
  await writeFile(file, code)
}
