import { join } from "node:path"
import { build } from "esbuild"

/**
 * A file of the Next recipe as the starter runs it.
 *
 * @param around what Next and the starter's own files have, as much of it as the file calls, by the name it is imported by
 * @param settings what is in the storefront's environment
 */
export async function buildRecipe<Exports>(
  file: string,
  around: Record<string, string>,
  settings: Record<string, string>,
): Promise<Exports> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, "../next/files", file)],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    jsx: "automatic",
    external: ["react/jsx-runtime"],
    alias: { "svc-storefront": join(__dirname, "../src/index.ts") },
    define: { "process.env": JSON.stringify(settings) },
    plugins: [
      {
        name: "around",
        setup(plugin) {
          plugin.onResolve({ filter: /.*/ }, ({ path, namespace }) => {
            if (namespace === "around") return { path: require.resolve(path), external: true }
            return path in around ? { path, namespace: "around" } : undefined
          })
          plugin.onLoad({ filter: /.*/, namespace: "around" }, ({ path }) => ({
            contents: around[path] ?? "",
          }))
        },
      },
    ],
  })
  const made = { exports: {} as Exports }
  new Function("module", "exports", "require", outputFiles[0]?.text ?? "")(
    made,
    made.exports,
    require,
  )
  return made.exports
}
