import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { publishTypes } from "../declarations"

let folder = ""

/** What `medusa plugin:build` writes, as far as it matters here. */
const BUILT = {
  "workflows/index.d.ts": 'export { startImport } from "./catalog";\n',
  "workflows/catalog/index.d.ts": 'export * from "./imports";\nexport * from "./inside";\n',
  "workflows/catalog/imports.d.ts":
    'import type { Progress } from "./progress";\n/** Starts an import. */\nexport declare function startImport(id: string): Promise<Progress>;\n',
  "workflows/catalog/progress.d.ts":
    "export type Progress = {\n    /** Products so far. */\n    done: number;\n};\n",
  "workflows/catalog/inside.d.ts": "export declare function workImports(): void;\n",
  "testing/index.d.ts": "export declare const GOLDEN: string;\n",
  "modules/svc/index.d.ts":
    'import Service from "./service";\nexport { REFUSALS, type RefusalCode, refusalCode, SvcRefusal } from "./refusal";\nexport declare const SVC_MODULE = "svc";\ndeclare const _default: typeof Service;\nexport default _default;\n',
  "modules/svc/service.d.ts": "export default class Service {\n    inside: number;\n}\n",
  "modules/svc/refusal.d.ts":
    "export declare const REFUSALS: {};\nexport type RefusalCode = keyof typeof REFUSALS;\nexport declare function refusalCode(): RefusalCode;\nexport declare class SvcRefusal {\n}\n",
  "modules/svc/models/index.d.ts": [
    "Attribution",
    "CatalogItem",
    "Connection",
    "Delivery",
    "ReportAttempt",
    "Webhook",
  ]
    .map((name) => `export type ${name} = { id: string };\n`)
    .join(""),
  "modules/svc/published.d.ts":
    'import type { Connection } from "./models";\nexport type SvcModuleService = {\n    list(): Connection[];\n};\nexport type SvcModule = {\n    service: SvcModuleService;\n};\n',
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "types-"))
  for (const [file, text] of Object.entries(BUILT)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  await publishTypes(folder)
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = (entry: string) => readFile(join(folder, entry, "index.d.ts"), "utf8")

it("leaves one file of types for each public entry", async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.ts$/.test(file))
  expect(files.sort()).toEqual(
    ["modules/svc", "testing", "workflows"].map((f) => `${f}/index.d.ts`),
  )
})

it("keeps what an entry exports and what that needs, with what explains it, and nothing else", async () => {
  const types = await read("workflows")
  expect(types).toContain("/** Starts an import. */\ndeclare function startImport")
  expect(types).toContain("/** Products so far. */\n    done: number")
  expect(types).not.toContain("workImports")
})

it("shows of the module what is published of it", async () => {
  const types = await read("modules/svc")
  expect(types).toContain("declare const svc: SvcModule")
  expect(types).toMatch(/interface ModuleImplementations \{\s+svc: SvcModuleService;?\s+\}/)
  expect(types).not.toContain("inside")
})

it("refuses to go on where something that is to be published is gone", async () => {
  await rm(join(folder, "testing/index.d.ts"))
  await expect(publishTypes(folder)).rejects.toThrow("testing/index.d.ts")
})
