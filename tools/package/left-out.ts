/**
 * Builds what `medusa plugin:build` leaves out. It takes every folder that is called `test` for tests, wherever it lies, and
 * one of ours is a route: without this, `POST /admin/svc/connections/:id/webhook/test` answers 404 in the installed plugin.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import { transform } from "esbuild"

/** @param output `.medusa/server/src`: what `medusa plugin:build` wrote */
export async function buildLeftOut(source: string, output: string): Promise<void> {
  const files = (await readdir(source, { recursive: true })).filter(isLeftOut)
  await Promise.all(
    files.map(async (file) => {
      const target = join(output, file.replace(/\.ts$/, ".js"))
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, await commonJs(join(source, file)))
    }),
  )
}

const isLeftOut = (file: string): boolean =>
  file.endsWith(".ts") && dirname(file).split(sep).includes("test")

/** Types were judged by `npm run check`; here they are only taken out. */
async function commonJs(file: string): Promise<string> {
  const { code } = await transform(await readFile(file, "utf8"), {
    loader: "ts",
    format: "cjs",
    target: "node20",
  })
  return code
}
