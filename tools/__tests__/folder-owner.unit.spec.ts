import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { withFolder } from "../folder-owner"

describe("a folder that one uses at a time", () => {
  let folder = ""
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "one-at-a-time-")), "used")
  })

  it("is used by one after the other, also where the first one fails", async () => {
    const said: string[] = []
    const use = (name: string, fails = false) =>
      withFolder(folder, async () => {
        said.push(`${name} begins`)
        await sleep(30)
        said.push(`${name} ends`)
        if (fails) throw new Error("no")
      }).catch(() => undefined)
    await Promise.all([use("one", true), use("other")])
    expect(said.map((text) => text.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"])
  })

  it("is free again when the process that used it was killed", async () => {
    const owner = resolve(__dirname, "../folder-owner.ts")
    const program = `
      const { withFolder } = require(${JSON.stringify(owner)})
      withFolder(${JSON.stringify(folder)}, () => {
        console.log("mine")
        return new Promise(() => setInterval(() => undefined, 1000))
      })`
    const holder = spawn(process.execPath, ["--import", "tsx", "-e", program], {
      cwd: resolve(__dirname, "../.."),
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "inherit"],
    })
    await once(holder.stdout, "data")
    let taken = false
    const taking = withFolder(folder, async () => {
      taken = true
    })
    await sleep(500)
    expect(taken).toBe(false)
    holder.kill("SIGKILL")
    await taking
    expect(taken).toBe(true)
  })
})
