/**
 * The packed plugin on each version of Medusa and Node that it is for, and beside what other plugins and a merchant's own
 * code do. `npm run compatibility` runs this and writes `docs/compatibility.md`; it takes a quarter of an hour or more.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ROOT } from "../../tools/child"
import { command } from "../setup/command"
import { AS_PROMISED, holdFirstShow } from "../setup/first-show"
import { createFreshShop, type FreshShopOptions } from "../setup/fresh-shop"
import { pack } from "../setup/packed"
import { startSandbox } from "../setup/sandbox"
import { SLOW_START_MS } from "../setup/store-process"

const OLDEST = { medusa: "2.21.0", ui: "4.2.4" }

/** Takes every hook of every workflow of core's, as no plugin and no merchant can do a second time. */
const EVERY_HOOK = `
const flows = require("@medusajs/medusa/core-flows")
// Some workflows are exported under two names.
for (const flow of new Set(Object.values(flows))) {
  for (const hook of Object.values((flow && flow.hooks) || {})) hook(async () => undefined)
}
`

type Case = {
  medusa: string
  node: string
  beside: string
  options: FreshShopOptions
}

const CASES: Case[] = [
  { medusa: "2.21.0", node: "20", beside: "", options: OLDEST },
  { medusa: "2.21.2", node: "20", beside: "", options: {} },
  { medusa: "2.21.2", node: "22", beside: "", options: {} },
  { medusa: "2.21.2", node: "24", beside: "", options: {} },
  {
    // The loyalty plugin is for the one version of Medusa whose number it has.
    medusa: "2.21.1",
    node: "22",
    beside: "`@medusajs/loyalty-plugin`",
    options: {
      medusa: "2.21.1",
      ui: "4.2.5",
      dependencies: { "@medusajs/loyalty-plugin": "2.21.1" },
      plugins: ['{ resolve: "@medusajs/loyalty-plugin", options: {} }'],
    },
  },
  {
    medusa: "2.21.2",
    node: "22",
    beside: "a store that takes every hook of core's workflows",
    options: { files: { "src/workflows/hooks/every-hook.js": EVERY_HOOK } },
  },
]

const PAGE = `# Compatibility

Written by \`npm run compatibility\`, which installs the packed plugin in a new Medusa application for each line, migrates it,
starts it and holds a show against the sandbox: connection, import, webhook, a basket at the show's price, the order and its
report.

| Medusa | Node | beside | |
|---|---|---|---|
`

let folder = ""
let tarball = ""
const rows: string[] = []

/**
 * Other versions of Node come as ordinary programs from what the npm package `node` downloads for this machine: the package
 * itself does so in a script, which has none of npm's settings.
 */
async function installNode(version: string): Promise<string> {
  const place = join(folder, `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const install = ["install", "--prefix", place, "--no-audit", "--no-fund", `${name}@${version}`]
  await command("npm", install, folder)
  return join(place, "node_modules", name, "bin/node")
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "compatibility-"))
  tarball = join(folder, await pack("medusa-plugin-svc", folder))
}, SLOW_START_MS)

afterAll(async () => {
  if (rows.length === CASES.length) {
    await writeFile(join(ROOT, "docs/compatibility.md"), `${PAGE}${rows.join("\n")}\n`)
  }
  if (folder) await rm(folder, { recursive: true, force: true })
})

it.each(CASES)(
  "holds a show on Medusa $medusa and Node $node $beside",
  async ({ medusa, node, beside, options }) => {
    const program = await installNode(node)
    const version = (await command(program, ["--version"], folder)).trim()
    const shop = await createFreshShop({ node: program, ...options })
    const sandbox = await startSandbox()
    try {
      await shop.install(tarball)
      await shop.migrate()
      await shop.start()
      expect(await holdFirstShow(await shop.admin(), sandbox)).toEqual(AS_PROMISED)
      rows.push(`| ${medusa} | ${version} | ${beside} | holds a show |`)
    } finally {
      await sandbox.stop()
      await shop.remove()
    }
  },
  SLOW_START_MS,
)
