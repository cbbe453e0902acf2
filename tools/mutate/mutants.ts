/**
 * Makes a program of some unit specs and of sources that are full of mutants (Stryker's): each stands beside the code
 * that it replaces, and `__stryker__.activeMutant` says which one runs instead.
 */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { build } from "esbuild"

export type Mutant = {
  id: string
  /** From the root of the repository. */
  file: string
  line: number
  column: number
  mutator: string
  replacement: string
  /** Why the sources ask not to try it. */
  ignored: string | null
}

const SILENT = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
}
function ignore(): void {}

/** @returns the mutants, and the program's text (CommonJS; it expects jest's globals) */
export async function withMutants(
  root: string,
  files: readonly string[],
  specs: readonly string[],
): Promise<{ mutants: Mutant[]; program: string }> {
  // An ES module.
  const { Instrumenter } = await import("@stryker-mutator/instrumenter")
  const instrumenter = new Instrumenter(SILENT)
  const sources = files.map((file) => ({
    name: resolve(root, file),
    mutate: true,
    content: readFileSync(resolve(root, file), "utf8"),
  }))
  const made = await instrumenter.instrument(sources, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  })
  const contents = new Map(made.files.map(({ name, content }) => [name, content]))
  const { outputFiles } = await build({
    stdin: {
      contents: specs.map((spec) => `import ${JSON.stringify(`./${spec}`)}`).join("\n"),
      resolveDir: root,
      loader: "ts",
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    packages: "external",
    logLevel: "error",
    plugins: [
      {
        name: "mutants",
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: (contents.get(path) ?? readFileSync(path, "utf8")).replaceAll(
              "__dirname",
              JSON.stringify(dirname(path)),
            ),
            loader: "ts",
          }))
        },
      },
    ],
  })
  const mutants = made.mutants.map((mutant) => ({
    id: mutant.id,
    file: files.find((file) => resolve(root, file) === mutant.fileName) ?? mutant.fileName,
    line: mutant.location.start.line + 1,
    column: mutant.location.start.column + 1,
    mutator: mutant.mutatorName,
    replacement: mutant.replacement,
    ignored: mutant.status === "Ignored" ? (mutant.statusReason ?? "") : null,
  }))
  return { mutants, program: outputFiles[0]?.text ?? "" }
}
