/** `svc-storefront` as a storefront installs it: alone, in every kind of project. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { STEPS } from "../../storefront/next/steps"
import { ROOT } from "../../tools/child"
import { command } from "../setup/command"
import { drawn } from "../setup/generated"
import { pack } from "../setup/packed"
import { SLOW_START_MS } from "../setup/store-process"

const isFullRun = process.env.TESTS === "full"

let folder = ""
let tarball = ""

const tool = (name: string, args: string[], cwd = folder) =>
  command(join(ROOT, "node_modules/.bin", name), args, cwd)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "storefront-"))
  tarball = await pack("svc-storefront", folder)
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "shop", private: true }))
  await command("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${tarball}`], folder)
}, SLOW_START_MS)

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

it("brings nothing but itself", async () => {
  const installed = await readdir(join(folder, "node_modules"))
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["svc-storefront"])
})

it("is without fault for publint and for attw", async () => {
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

const PROJECTS: [string, object, string][] = [
  ["node", { module: "commonjs", moduleResolution: "node" }, "commonjs"],
  ["node16, as CommonJS", { module: "node16", moduleResolution: "node16" }, "commonjs"],
  ["node16, as ES modules", { module: "node16", moduleResolution: "node16" }, "module"],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }, "module"],
]
it.each(drawn(PROJECTS, isFullRun ? undefined : 1))(
  "has types where a project resolves modules like %s",
  async (name, options, type) => {
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
  },
)

/** What the guide's recipe uses of Medusa's Next.js starter and of Next, with the types that they have there. */
const STARTER = {
  "lib/config.ts": `import Medusa from "@medusajs/js-sdk"
    export const sdk = new Medusa({ baseUrl: "" })`,
  "lib/data/cart.ts": `import { HttpTypes } from "@medusajs/types"
    export declare function getOrSetCart(countryCode: string): Promise<HttpTypes.StoreCart>`,
  "lib/data/cookies.ts": `export declare function getAuthHeaders(): Promise<{ authorization: string } | {}>
    export declare function getCacheTag(tag: string): Promise<string>
    export declare function getCartId(): Promise<string | undefined>
    export declare function removeCartId(): Promise<void>`,
  "lib/util/money.ts": `export declare function convertToLocale(price: { amount: number; currency_code: string }): string`,
  "next.d.ts": `declare module "next/cache" { export function revalidateTag(tag: string): void }
    declare module "next/headers" {
      export function cookies(): Promise<{ get(name: string): { value: string } | undefined }>
      export function headers(): Promise<{ get(name: string): string | null }>
    }
    declare module "next/navigation" {
      export function redirect(url: string): never
      export function useParams<T>(): T
      export function usePathname(): string
      export function useRouter(): { push(url: string): void; refresh(): void }
    }
    declare module "next/script" {
      export default function Script(props: { src?: string; "data-page-uid"?: string }): React.JSX.Element
    }
    declare const process: { env: Record<string, string | undefined> }`,
}

/** What a step puts into a file that the starter has. */
const put = (name: string, nth: number): string => {
  const step = STEPS.find(({ file }) => file.includes(`/${name}/`))
  if (!step || !("edits" in step)) throw new Error(`No step changes ${name}.`)
  return step.edits.at(nth)?.put ?? ""
}

it("puts into Medusa's Next.js starter what compiles there", async () => {
  const files: Record<string, string> = {
    ...STARTER,
    "card.ts": `import { renewPaymentSession } from "@lib/svc-checkout"
      import { HttpTypes } from "@medusajs/types"
      declare const stripe: {
        retrievePaymentIntent(secret: string): Promise<{ paymentIntent?: { status: string } }>
        confirmCardPayment(secret: string, data: object): Promise<void>
      } | null
      declare const card: object | null
      declare const onPaymentCompleted: () => Promise<void>
      export async function press(
        cart: HttpTypes.StoreCart,
        session: HttpTypes.StorePaymentSession | undefined,
        setSubmitting: (submitting: boolean) => void,
        setErrorMessage: (message: string | null) => void,
      ) {
        ${put("payment-button", -1)} })
      }`,
    "price.ts": `import { HttpTypes } from "@medusajs/types"
      type LineItemPriceProps = {
        item: HttpTypes.StoreCartLineItem | HttpTypes.StoreOrderLineItem
        currencyCode: string
      }
      export const price = ({
        item,
      ${put("line-item-price", 0)}
        return { total: item.total ?? 0, original_total: item.original_total ?? 0, currencyCode }
      }`,
  }
  const added = join(folder, "node_modules/svc-storefront/dist/next/files")
  for (const step of STEPS) {
    if ("create" in step) {
      files[step.file.replace("src/", "")] = await readFile(join(added, step.create), "utf8")
    }
  }
  const project = join(folder, "next")
  for (const [path, code = ""] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), code)
  }
  const modules = join(ROOT, "node_modules")
  const compilerOptions = {
    // As the starter has them.
    module: "esnext",
    moduleResolution: "node",
    jsx: "preserve",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2017",
    lib: ["dom", "esnext"],
    types: ["react"],
    typeRoots: [join(modules, "@types")],
    baseUrl: ".",
    paths: {
      "@lib/*": ["lib/*"],
      "@modules/*": ["modules/*"],
      "@medusajs/*": [join(modules, "@medusajs/*")],
      react: [join(modules, "@types/react")],
    },
  }
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }))
  await tool("tsc", ["-p", project])
})

it("loads on a server, as an ES module and as CommonJS", async () => {
  const look = `
    const names = (all) => console.log(all.flatMap((one) => Object.keys(one)).sort().join())`
  const entries = '["svc-storefront", "svc-storefront/live-now"]'
  const node = (program: string) => command(process.execPath, ["-e", `${look}\n${program}`], folder)
  const imported = await node(`Promise.all(${entries}.map((name) => import(name))).then(names)`)
  const required = await node(`names(${entries}.map(require))`)
  expect(imported).toContain("connectPlayer")
  expect(imported.replace("default,", "").replace("module.exports,", "")).toBe(required)
})

it("has a script for pages without a bundler", async () => {
  const path = join(folder, "node_modules/svc-storefront/dist/svc-storefront.js")
  const page: { SvcStorefront?: { connectPlayer?: unknown } } = {}
  new Function("window", `${await readFile(path, "utf8")};window.SvcStorefront=SvcStorefront`)(page)
  expect(typeof page.SvcStorefront?.connectPlayer).toBe("function")
})
