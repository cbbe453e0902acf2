/** `svc-storefront add next`, on lines of our own that have what the starter's files have. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { build } from "esbuild"
import { ENV, STEPS } from "../next/steps"

const NEXT = join(__dirname, "../next")
const GUIDE = join(__dirname, "../../docs/nextjs.md")
const OPTIONS = ["--store", "https://s.test", "--player", "https://p.test/p.js", "--page", "us"]

let built = ""
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "next-command-"))
  await build({
    entryPoints: [join(NEXT, "command.ts")],
    bundle: true,
    platform: "node",
    outfile: join(built, "command.js"),
  })
  await symlink(join(NEXT, "files"), join(built, "files"))
})
afterAll(() => rm(built, { recursive: true, force: true }))

let folder = ""
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "next-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = (file: string) => readFile(join(folder, file), "utf8")
async function put(file: string, text: string) {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), text)
}

/** What the steps look for, with something around it. */
async function starter(lineBreak = "\n") {
  await put("src/app/[countryCode]/page.tsx", "")
  for (const step of STEPS) {
    if (!("edits" in step)) continue
    const lines = step.edits.flatMap(({ find, times = 1 }) => Array(times).fill(`${find}\n`))
    const text = ["// Before.\n", ...lines, "// After.\n"].join("")
    await put(step.file, text.replaceAll("\n", lineBreak))
  }
}

/** The lines of one file that the two starters, the present one and that before it, do not share. */
const UNIT_PRICE = "src/modules/common/components/line-item-unit-price/index.tsx"
const PRICES = {
  "dtc-starter": `  const total = item.total ?? 0
  const original_total = item.original_total ?? 0
`,
  "nextjs-starter-medusa": `  const { total, original_total } = item
`,
}

async function all(): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return [path.slice(folder.length + 1), await readFile(path, "utf8")]
  })
  return Object.fromEntries(await Promise.all(texts))
}

function run(...args: string[]): Promise<{ code: number; said: string }> {
  const command = [join(built, "command.js"), ...args]
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: folder }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, said: out + err }),
    )
  })
}

it.each([
  ["\n", "as on Linux"],
  ["\r\n", "as on Windows"],
])(
  "shows what it would do, does it once, and takes all of it back, with line breaks %j %s",
  async (lineBreak) => {
    await starter(lineBreak)
    // A file that ends without a line break, as many editors leave it.
    await put(".env.local", "NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY=pk_1")
    const before = await all()

    const shown = await run("add", "next")
    expect([shown.code, await all()]).toEqual([0, before])
    expect(shown.said).toContain(`- import { updateLineItem } from "@lib/data/cart"`)
    expect(shown.said).toContain(`+ import { updateLineItem } from "@lib/svc-checkout"`)
    expect(shown.said).toContain("Nothing has been written")

    expect((await run("add", "next", ...OPTIONS, "--apply")).code).toBe(0)
    const after = await all()
    for (const step of STEPS) {
      if ("create" in step) continue
      for (const { find, put, times = 1 } of step.edits) {
        const text = (after[step.file] ?? "").replaceAll("\r\n", "\n")
        expect([step.file, text.split(put).length - 1]).toEqual([step.file, times])
        expect(text.replaceAll(put, "")).not.toContain(find)
      }
      expect(after[step.file]?.includes("\r\n")).toBe(lineBreak === "\r\n")
    }
    expect(after[".env.local"]?.split("\n")).toEqual([
      "NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY=pk_1",
      expect.stringContaining("#"),
      "NEXT_PUBLIC_MEDUSA_BACKEND_URL=https://s.test",
      "NEXT_PUBLIC_SVC_PLAYER_URL=https://p.test/p.js",
      "NEXT_PUBLIC_SVC_PAGE_UID=us",
      "",
    ])

    const again = await run("add", "next", "--apply")
    expect([again.code, again.said.trim()]).toEqual([0, "Everything is there."])
    expect(await all()).toEqual(after)

    expect((await run("remove", "next")).said).toContain("Nothing has been written")
    expect(await all()).toEqual(after)
    expect((await run("remove", "next", "--apply")).code).toBe(0)
    expect(await all()).toEqual({ ...before, ".env.local": `${before[".env.local"]}\n` })
    expect((await run("remove", "next", "--apply")).said).toContain("nothing to take back")
  },
)

it("leaves a file alone that it does not recognise, and says that step by hand", async () => {
  await starter()
  const file = "src/modules/cart/components/item/index.tsx"
  await put(file, `import { updateLineItem } from "../of/our/own"\n`)
  const { code, said } = await run("add", "next", ...OPTIONS, "--apply")
  expect(code).toBe(1)
  expect(said).toContain(`Not recognised, and left as it is: ${file}`)
  expect(said).toContain(`import { updateLineItem } from "@lib/svc-checkout"`)
  expect(await read(file)).toBe(`import { updateLineItem } from "../of/our/own"\n`)
  // All others are done.
  expect(await read("src/app/[countryCode]/layout.tsx")).toContain("<SvcPlayer />")
  const again = await run("add", "next", "--apply")
  expect([again.code, again.said]).toEqual([1, expect.stringContaining(file)])
  expect(again.said).not.toContain("Everything is there.")
})

it("changes half of a file never, and deletes no file that somebody has changed", async () => {
  await starter()
  const button = "src/modules/checkout/components/payment-button/index.tsx"
  const half = (await read(button)).replace("await placeOrder()", "await placeOrder(own)")
  await put(button, half)
  expect((await run("add", "next", ...OPTIONS, "--apply")).code).toBe(1)
  expect(await read(button)).toBe(half)
  const css = "src/styles/svc.css"
  await put(css, `${await read(css)}/* ours */\n`)
  const removed = await run("remove", "next", "--apply")
  expect([removed.code, removed.said]).toEqual([1, expect.stringContaining(css)])
  // A version of another text may have made it: nobody has to have changed it.
  expect(removed.said).toContain("It is not as this version made it.")
  expect(await read(css)).toContain("/* ours */")
})

it("takes back what it wrote at several times, and leaves what a changed file imports", async () => {
  await starter()
  // In forms that Next reads as well: what stood below them would win.
  await put(
    ".env.local",
    `export ${ENV[0].key}=https://kept.test\n${ENV[1].key} = https://kept.test/p.js\n`,
  )
  const own = await read(".env.local")
  expect((await run("add", "next", ...OPTIONS, "--apply")).code).toBe(0)
  const added = await read(".env.local")
  expect(added.startsWith(own)).toBe(true)
  expect(added).not.toContain("https://s.test")
  expect(added).not.toContain("https://p.test")
  // Somebody took a line of theirs out, and ran it again.
  await put(".env.local", added.replace(/^export .*\n/, ""))
  expect((await run("add", "next", ...OPTIONS, "--apply")).code).toBe(0)

  const button = "src/modules/checkout/components/payment-button/index.tsx"
  const changed = (await read(button)).replace(
    "await placeOrder(cart)",
    "await placeOrder(cart, ours)",
  )
  await put(button, changed)
  const removed = await run("remove", "next", "--apply")
  expect([removed.code, removed.said]).toEqual([1, expect.stringContaining(button)])
  expect(await read(".env.local")).toBe(`${ENV[1].key} = https://kept.test/p.js\n`)
  expect(await read(button)).toBe(changed)
  const left = Object.keys(await all()).filter((file) => file.includes("svc"))
  expect(left.sort()).toEqual(["src/lib/data/svc.ts", "src/lib/svc-checkout.ts"])

  await put(button, changed.replace(", ours", ""))
  expect((await run("remove", "next", "--apply")).code).toBe(0)
  expect(Object.keys(await all()).filter((file) => file.includes("svc"))).toEqual([])
})

it.each(Object.entries(PRICES))("knows the price of one piece in the %s", async (_, lines) => {
  await starter()
  const before = `const LineItemUnitPrice = ({
  item,
  currencyCode,
}: LineItemUnitPriceProps) => {
${lines}  const hasReducedPrice = total < original_total
`
  await put(UNIT_PRICE, before)
  expect((await run("add", "next", ...OPTIONS, "--apply")).code).toBe(0)
  expect(await read(UNIT_PRICE)).toContain("compare_at_unit_price")
  expect((await run("remove", "next", "--apply")).code).toBe(0)
  expect(await read(UNIT_PRICE)).toBe(before)
})

it("imports nothing but what both starters have", async () => {
  const names = (await readdir(join(NEXT, "files"))).filter((name) => /\.tsx?$/.test(name))
  const texts = names.map((name) => readFile(join(NEXT, "files", name), "utf8"))
  const imported = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/(?:from|import|import\()\s*"([^"]+)"/g)].map(([, from = ""]) => from),
  )
  expect(imported.length).toBeGreaterThan(20)
  const inBoth =
    /^(@lib|@modules|styles|svc-storefront|next|\.)\/|^(react|@medusajs\/types|svc-storefront)$/
  expect(imported.filter((from) => !inBoth.test(from))).toEqual([])
})

it("says which settings it left, where others were asked for", async () => {
  await starter()
  await put(".env.local", `${ENV[0].key}="http://localhost:9000" # here\n`)
  expect((await run("add", "next", ...OPTIONS, "--apply")).said).toContain(
    `Left as it is in .env.local: ${ENV[0].key} is not https://s.test there.`,
  )
  const [store, player, page] = ["http://localhost:9000", "https://p.test/p.js", "se"]
  const asked = ["--store", store, "--player", player, "--page", page]
  const again = await run("add", "next", ...asked, "--apply")
  expect([again.code, again.said.trim()]).toEqual([
    0,
    `Left as it is in .env.local: ${ENV[2].key} is not se there.`,
  ])
})

it("asks for what it cannot know, and refuses another project", async () => {
  const elsewhere = await run("add", "next", ...OPTIONS, "--apply")
  expect([elsewhere.code, await all()]).toEqual([1, {}])
  await starter()
  await put(".env.local", `${ENV[0].key}=https://kept.test\n`)
  const { code, said } = await run("add", "next", "--apply")
  expect(code).toBe(1)
  expect(said).toContain("--player")
  expect(said).not.toContain("--store")
  // As a command that was copied, with the example still in it.
  const example = ["--player", ENV[1].example, "--page", "us"]
  const copied = await run("add", "next", ...example, "--apply")
  expect([copied.code, copied.said.match(/--\w+/g)]).toEqual([1, ["--player"]])
  expect(await read(".env.local")).not.toContain("PLAYER")
  expect((await run("add", "next", "--player", "…", "--page", "us", "--apply")).code).toBe(1)
  // What the file has wins: it is right beside an example, and an example in it is not mended by an option.
  const kept = await run("add", "next", ...OPTIONS, "--store", ENV[0].example, "--apply")
  expect(kept.code).toBe(0)
  expect(await read(".env.local")).not.toContain("https://s.test")
  await put(".env.local", `${ENV[1].key}=${ENV[1].example}\n${ENV[2].key}=\n`)
  const there = await run("add", "next", ...OPTIONS, "--apply")
  expect([there.code, there.said.match(/--\w+|NEXT_\w+/g)]).toEqual([1, [ENV[1].key, ENV[2].key]])
})

it("does what the page says by hand: docs/nextjs.md is written by `npm run guide -w svc-storefront`", async () => {
  expect((await run("guide", "next")).said).toBe(await readFile(GUIDE, "utf8"))
})
