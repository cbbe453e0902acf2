/**
 * The types of the packed plugin: one file for each public entry, with what it exports and what that needs, and a file for
 * what several need. Without it, nearly every internal type would be packed, because each leads to the service and the
 * service to the rest.
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type OutputChunk, rollup } from "rollup"
import { dts } from "rollup-plugin-dts"

/** The entries that `exports` of package.json leads to, and where their types come from; below `.medusa/server/src`. */
const ENTRIES = {
  "workflows/index": "workflows/index.d.ts",
  "testing/index": "testing/index.d.ts",
  "modules/svc/index": "modules/svc/public-entry.d.ts",
}

/**
 * The module as a store sees it: `published.ts` in place of our own types, in Medusa's container too; and the types of the
 * options that are functions.
 */
const MODULE_ENTRY = `
import type { SvcModule, SvcModuleService } from "./published"
export type * from "./published"
export type { GivenPrice } from "../../contract/index"
export type { ProductMapper } from "./catalog/product-mapper"
export type { ReportFields } from "./orders/report-fields"
export type { Attribution, CatalogItem, Connection, Delivery, ReportAttempt, Webhook } from "./models/index"
export { REFUSALS, type RefusalCode, refusalCode, SVC_MODULE, SvcRefusal } from "./index"
declare const svc: SvcModule
export default svc
declare module "@medusajs/framework/types" {
  interface ModuleImplementations {
    svc: SvcModuleService
  }
}
`

/** @param folder `.medusa/server/src`: what `medusa plugin:build` wrote; its types are replaced */
export async function publishTypes(folder: string): Promise<void> {
  await writeFile(join(folder, ENTRIES["modules/svc/index"]), MODULE_ENTRY)
  const bundle = await rollup({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, join(folder, file)]),
    ),
    external: /^[^./]/,
    plugins: [dts()],
    onwarn: ({ message }) => {
      throw new Error(`The types could not be put together. ${message}`)
    },
  })
  const { output } = await bundle.generate({
    entryFileNames: "[name].d.ts",
    chunkFileNames: "shared.d.ts",
  })
  await bundle.close()
  const built = (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith(".d.ts"),
  )
  await Promise.all(built.map((file) => rm(join(folder, file))))
  for (const { fileName, code } of output as OutputChunk[]) {
    await mkdir(dirname(join(folder, fileName)), { recursive: true })
    await writeFile(join(folder, fileName), code)
  }
}
