/**
 * Takes out of the built plugin what nobody who installs it can use: source maps, comments, and the admin in a second module
 * format. Its types are in `declarations.ts`, and the comments that explain them stay there.
 */
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { transform } from "esbuild"
import ts from "typescript"

/** @param output `.medusa/server`: the plugin as `medusa plugin:build` writes it, and the copy of the storefront's SDK */
export async function slim(output: string): Promise<void> {
  const files = await readdir(output, { recursive: true })
  const readable = files.filter((file) =>
    /^(src\/(?!admin\/)|storefront\/(esm|cjs)\/).*\.js$/.test(file),
  )
  await Promise.all([
    ...readable.map((file) => withoutComments(join(output, file))),
    slimAdmin(join(output, "src/admin")),
  ])
}

/** Names and statements stay as they were compiled, so that an agency can read where a stack trace leads. */
async function withoutComments(file: string): Promise<void> {
  const { outputText } = ts.transpileModule(await readFile(file, "utf8"), {
    fileName: file,
    compilerOptions: {
      removeComments: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
    },
  })
  // Printed anew: TypeScript indents by four.
  const { code } = await transform(outputText, { loader: "js", target: "esnext" })
  if (code === "") throw new Error(`${file} became empty.`)
  await writeFile(file, code)
}

/**
 * Of the admin's two formats the ES module stays, under the name of the other one: Medusa makes the store's style sheet from
 * the class names that it finds in the plugin's `*.js`, and in nothing else. Vite bundles it again into the admin of the
 * store; what is read there is the source of the repository.
 */
async function slimAdmin(folder: string): Promise<void> {
  const file = join(folder, "index.js")
  await rename(join(folder, "index.mjs"), file)
  await writeFile(join(folder, "package.json"), '{"type":"module"}\n')
  const { code } = await transform(await readFile(file, "utf8"), {
    loader: "js",
    target: "node20",
    legalComments: "none",
    minify: true,
  })
  await writeFile(file, code)
}
