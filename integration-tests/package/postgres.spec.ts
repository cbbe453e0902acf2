/** The Postgres that demo, tests and benchmarks bring: where its files are, and what it does not touch. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import { ROOT } from "../../tools/child"
import { claimFolder } from "../../tools/folder-owner"
import { ownFolder, removePostgres, startPostgres } from "../../tools/postgres"
import { eventually } from "../setup/market"

const isRoot = process.getuid?.() === 0

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: `${url}/postgres` })
  await client.connect()
  return await client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const answers = (url: string) =>
  ask(url, "SELECT 1").then(
    () => true,
    () => false,
  )

/** What Postgres keeps outside of its folder, where the account that it runs as may not enter the folder. */
const keptOutside = async () =>
  (await readdir(tmpdir())).filter((name) => /^(medusa-plugin-svc|svc-postgres)-/.test(name))

describe("the Postgres of a checkout", () => {
  let folder = ""
  let other: ChildProcess | undefined

  beforeEach(async () => {
    // For its user alone, as the home of root is: where the tests run as root, that is closed to Postgres.
    folder = await mkdtemp(join(tmpdir(), "closed-"))
  })

  afterEach(async () => {
    // Its files are closed before it counts as ended, and until then the folder is in use.
    if (other && other.exitCode === null && other.signalCode === null) {
      const ended = once(other, "exit")
      other.kill("SIGKILL")
      await ended
    }
    other = undefined
    await removePostgres(folder)
  })

  it("keeps its data between starts, in a folder that only its user may enter, and leaves nothing behind", async () => {
    const before = await keptOutside()
    const first = await startPostgres({ directory: folder })
    await ask(first.url, "CREATE TABLE kept (what text)")
    await first.stop()
    expect(await answers(first.url)).toBe(false)

    const second = await startPostgres({ directory: folder })
    expect(await ask(second.url, "SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 0 }])
    await second.stop()
    await removePostgres(folder)
    expect(await keptOutside()).toEqual(before)
  })

  it("is not started twice on one folder", async () => {
    const running = await startPostgres({ directory: folder, disposable: true })
    await expect(startPostgres({ directory: folder })).rejects.toThrow(
      `Another run (process ${process.pid}) is using ${folder}`,
    )
    expect(await answers(running.url)).toBe(true)
    await running.stop()
  })

  it("ends with the program that started it, even if that is killed", async () => {
    const program = `
      require("./tools/postgres").startPostgres({ directory: ${JSON.stringify(folder)}, disposable: true })
        .then(({ url }) => { console.log(url); setInterval(() => {}, 1000) })`
    other = spawn(process.execPath, ["--import", "tsx", "-e", program], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "inherit"],
    })
    const url = await new Promise<string>((resolve, reject) => {
      other?.stdout?.once("data", (text) => resolve(String(text).trim()))
      other?.once("exit", (code) => reject(new Error(`The program ended with ${code}.`)))
    })
    expect(await answers(url)).toBe(true)
    other.kill("SIGKILL")
    await eventually(
      () => answers(url),
      (answering) => !answering,
    )
  })

  it("signals no process that has come by the number of a server that is gone", async () => {
    const open = await mkdtemp(join(tmpdir(), "open-"))
    try {
      await chmod(open, 0o755)
      const data = join(open, "postgres")
      await mkdir(data)
      // An editor, say: a program that has the data folder among its arguments.
      other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "--", "-D", data])
      const ended = new Promise((resolve) => other?.once("exit", () => resolve("ended")))
      await writeFile(join(data, "postmaster.pid"), `${other.pid}\n${data}\n`)
      await removePostgres(open)
      const soon = new Promise((resolve) => setTimeout(() => resolve("runs"), 1_000))
      expect(await Promise.race([ended, soon])).toBe("runs")
    } finally {
      await rm(open, { recursive: true, force: true })
    }
  })

  it("starts nothing from a folder that somebody else may have prepared", async () => {
    const running = await startPostgres({ directory: folder })
    await running.stop()
    const [outside] = await keptOutside()
    expect(outside !== undefined).toBe(isRoot)
    if (!outside) return
    await chmod(join(tmpdir(), outside), 0o777)
    try {
      await expect(startPostgres({ directory: folder })).rejects.toThrow("belongs to somebody else")
    } finally {
      // Other files of tests use it, too.
      await chmod(join(tmpdir(), outside), 0o755)
    }
  })

  it("takes a folder over from a killed run, whatever process has that run's number now", async () => {
    await writeFile(join(folder, "owner"), `${process.ppid} 1`)
    await claimFolder(folder)
    await expect(claimFolder(folder)).rejects.toThrow(`process ${process.pid}`)
    await rm(join(folder, "owner"))
  })
})

describe("a folder for programs, whose name others can know", () => {
  let folder = ""
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "names-")), "known")
  })

  it("is made where there is none, and used again", async () => {
    await ownFolder(folder)
    await ownFolder(folder)
  })

  it("is refused where others may write in it", async () => {
    await mkdir(folder)
    await chmod(folder, 0o777)
    await expect(ownFolder(folder)).rejects.toThrow("belongs to somebody else")
  })

  it("is refused where it leads to another place", async () => {
    await symlink(ROOT, folder)
    await expect(ownFolder(folder)).rejects.toThrow("belongs to somebody else")
  })

  it("is refused where it belongs to another user", async () => {
    await mkdir(folder)
    // Only root can give a folder away; others find that they cannot take one that is root's.
    if (isRoot) await chown(folder, 65_534, 65_534)
    await expect(ownFolder(isRoot ? folder : "/")).rejects.toThrow("belongs to somebody else")
  })
})
