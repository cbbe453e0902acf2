/** `svc-storefront` as a storefront installs it: alone, in every kind of project. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { ROOT } from "../setup/medusa"

const run = promisify(execFile)
const PACKAGE = join(ROOT, "storefront")

let folder = ""

async function command(program: string, args: string[], cwd = folder): Promise<string> {
  const { PATH, HOME, TMPDIR, npm_config_cache } = process.env
  const env = { PATH, HOME, TMPDIR, npm_config_cache }
  try {
    return (await run(program, args, { cwd, env })).stdout
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(" ")} failed.\n${stdout}${stderr}`)
  }
}

const tool = (name: string, args: string[], cwd?: string) =>
  command(join(ROOT, "node_modules/.bin", name), args, cwd)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "storefront-"))
  await command("npm", ["pack", "--pack-destination", folder], PACKAGE)
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "shop", private: true }))
  await command("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${tarball}`])
})

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

it("brings nothing but itself", async () => {
  const installed = await readdir(join(folder, "node_modules"))
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["svc-storefront"])
})

it("is without fault for publint and for attw", async () => {
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"))
  expect(await tool("publint", ["--strict", tarball])).toContain("All good!")
  expect(await tool("attw", [tarball])).toContain("No problems found")
})

const CODE = `
import { completeCart, connectPlayer, rememberCart, type PriceChange } from "svc-storefront"
import { SvcLiveNow, type LiveNowSelect } from "svc-storefront/live-now"

const store = { baseUrl: "https://store.example.com", publishableKey: "pk_1" }
const cart = rememberCart({ ...store, regionId: "reg_1" })
export const player: { disconnect(): void } = connectPlayer({ ...store, getCartId: cart.getCartId })
export const strip: SvcLiveNow = document.createElement("svc-live-now")
export const selected = (event: CustomEvent<LiveNowSelect>): string => event.detail.product.name
window.addEventListener("svc:added", ({ detail }) => detail.products[0]?.product_id.length)
window.addEventListener("svc:price_changed", ({ detail }) => {
  const lines: PriceChange[] = detail.lines
  void completeCart(store, "cart_1", { acknowledged: lines })
})
// @ts-expect-error the types are there, and no any
connectPlayer({ baseUrl: 1 })
`

it.each([
  ["node", { module: "commonjs", moduleResolution: "node" }, "commonjs"],
  ["node16, as CommonJS", { module: "node16", moduleResolution: "node16" }, "commonjs"],
  ["node16, as ES modules", { module: "node16", moduleResolution: "node16" }, "module"],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }, "module"],
])("has types where a project resolves modules like %s", async (name, options, type) => {
  const project = join(folder, name.replace(/\W+/g, "-"))
  await mkdir(project)
  const compilerOptions = {
    ...options,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
  }
  await writeFile(join(project, "package.json"), JSON.stringify({ type }))
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }))
  await writeFile(join(project, "shop.ts"), CODE)
  await tool("tsc", ["-p", project])
})

it("loads on a server, as an ES module and as CommonJS", async () => {
  const look = `
    const names = (all) => console.log(all.flatMap((one) => Object.keys(one)).sort().join())`
  const entries = '["svc-storefront", "svc-storefront/live-now"]'
  const imported = await command(process.execPath, [
    "-e",
    `${look}\nPromise.all(${entries}.map((name) => import(name))).then(names)`,
  ])
  const required = await command(process.execPath, [
    "-e",
    `${look}\nnames(${entries}.map(require))`,
  ])
  expect(imported).toContain("connectPlayer")
  expect(imported.replace("default,", "").replace("module.exports,", "")).toBe(required)
})

it("has a script for pages without a bundler", async () => {
  const path = join(folder, "node_modules/svc-storefront/dist/svc-storefront.js")
  const page: { SvcStorefront?: { connectPlayer?: unknown } } = {}
  new Function("window", `${await readFile(path, "utf8")};window.SvcStorefront=SvcStorefront`)(page)
  expect(typeof page.SvcStorefront?.connectPlayer).toBe("function")
})
