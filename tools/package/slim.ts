/**
 * Takes out of the built plugin what nobody who installs it can use: two thirds of what Medusa's build writes are source
 * maps, comments, the admin in a second module format, and types that no public entry leads to.
 */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { transform } from "esbuild"
import { preProcessFile } from "typescript"

/** @param folder `.medusa/server/src`: what `medusa plugin:build` writes */
export async function slim(folder: string, entries: string[]): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).map((file) => join(folder, file))
  const admin = join(folder, "admin")
  await Promise.all([
    ...files
      .filter((file) => file.endsWith(".js") && dirname(file) !== admin)
      .map((file) => rewrite(file, { minify: false })),
    slimAdmin(admin),
  ])
  const used = await typesBehind(
    entries.map((entry) => join(folder, entry)),
    new Set(files),
  )
  const unused = files.filter((file) => file.endsWith(".d.ts") && !used.has(file))
  await Promise.all(unused.map((file) => rm(file)))
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

/** Every file of types that these lead to, themselves included. */
async function typesBehind(entries: string[], files: Set<string>): Promise<Set<string>> {
  const found = new Set<string>()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const { importedFiles } = preProcessFile(await readFile(file, "utf8"))
    for (const { fileName } of importedFiles.filter((imported) =>
      imported.fileName.startsWith("."),
    )) {
      const target = join(dirname(file), fileName)
      waiting.push(
        ...[`${target}.d.ts`, join(target, "index.d.ts")].filter((one) => files.has(one)),
      )
    }
  }
  return found
}
