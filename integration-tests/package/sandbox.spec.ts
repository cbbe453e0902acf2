/**
 * The sandbox as anyone gets it: the packed tarball in an empty folder, without Medusa and outside
 * of the checkout.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { command } from "../setup/command"
import { pack } from "../setup/packed"
import { SLOW_START_MS } from "../setup/store-process"

const MOST_PACKAGES = 90

let folder = ""

const node = (program: string) => command(process.execPath, ["-e", program], folder)

describe("the packed sandbox in an empty folder", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "empty-folder-"))
    const tarball = await pack("svc-sandbox", folder)
    await writeFile(join(folder, "package.json"), '{ "private": true }')
    await command(
      "npm",
      ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball],
      folder,
    )
  }, SLOW_START_MS)

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it("brings few packages, and nothing of Medusa or of a bundler", async () => {
    const lock = JSON.parse(
      await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"),
    ) as { packages: Record<string, object> }
    const names = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ""))
    expect(names.length).toBeLessThan(MOST_PACKAGES)
    expect(names).toEqual(expect.arrayContaining(["svc-sandbox", "fastify"]))
    expect(names.filter((name) => /medusa|esbuild|preact|typescript/.test(name))).toEqual([])
  })

  it("starts with its command, serves its pages, and ends at a signal", async () => {
    const sandbox = spawn(join(folder, "node_modules/.bin/svc-sandbox"), ["--port", "0"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = new Promise<number | null>((resolve) => sandbox.once("exit", resolve))
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let output = ""
        sandbox.stdout.on("data", (chunk: Buffer) => {
          output += chunk.toString()
          const address = /ready at (http:\S+)/.exec(output)?.[1]
          if (address) resolve(address)
        })
        void ended.then(() => reject(new Error(`It ended before it was ready.\n${output}`)))
      })
      const pages = await Promise.all(
        ["/", "/player", "/player.js", "/_sandbox/health"].map((path) => fetch(`${url}${path}`)),
      )
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    } finally {
      sandbox.kill("SIGTERM")
    }
    expect(await ended).toBe(0)
  })

  it("can be started from a script, as a CommonJS and as an ES module", async () => {
    const use = `async ({ startSandbox, createControlClient, signDelivery }) => {
      const sandbox = await startSandbox({ port: 0 })
      const { status } = await createControlClient(sandbox.url).health()
      await sandbox.close()
      console.log(status, typeof signDelivery({ key: "k", body: "{}" })["X-Svc-Signature"])
    }`
    for (const program of [
      `(${use})(require("svc-sandbox"))`,
      `import("svc-sandbox").then(${use})`,
    ]) {
      expect((await node(program)).trim()).toBe("ok string")
    }
  })

  it("runs the commands and the Jest test of its README as they are written", async () => {
    const readme = await readFile(join(folder, "node_modules/svc-sandbox/README.md"), "utf8")
    // A flag right behind the name has to be the command's own, and not npm's.
    const [help = ""] = /^npx.*--help$/m.exec(readme) ?? []
    expect(await command("sh", ["-c", help], folder)).toContain("svc-sandbox clock")
    const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    await writeFile(join(folder, "readme.test.js"), example ?? "")
    const jest = require.resolve("jest/bin/jest")
    const options = [
      `--rootDir=${folder}`,
      `--cacheDirectory=${join(folder, "jest-cache")}`,
      "--testTimeout=600000",
    ]
    await command(process.execPath, [jest, ...options], folder)
  })

  it("gives other pages its base sheet", async () => {
    const path = await node('console.log(require.resolve("svc-sandbox/base.css"))')
    expect(await readFile(path.trim(), "utf8")).toContain(":root")
  })
})
