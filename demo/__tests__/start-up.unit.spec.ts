import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { claimFolder } from "../../tools/folder-owner"
import { closingWords } from "../start-up/closing-words"
import { forgetEarlierRuns } from "../start-up/reset"
import { readSettings } from "../start-up/settings"

describe("npm run demo -- --reset", () => {
  const before = process.env.DATABASE_URL
  afterEach(() => {
    if (before === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = before
  })

  const SHOP = "postgres://me:secret@db.example:5432/my-shop"

  it("does not empty the database of an exported DATABASE_URL, and says what to do", () => {
    process.env.DATABASE_URL = SHOP
    expect(() => readSettings(["--reset"])).toThrow(
      /everything in the database "my-shop" at db\.example:5432.*unset DATABASE_URL.*--reset-database my-shop/s,
    )
    expect(() => readSettings(["--reset"])).not.toThrow(/secret/)
  })

  it("does so when the database is named, and only that one", () => {
    process.env.DATABASE_URL = SHOP
    expect(readSettings(["--reset", "--reset-database", "my-shop"])).toMatchObject({ reset: true })
    expect(() => readSettings(["--reset", "--reset-database", "another"])).toThrow(/my-shop/)
    expect(() => readSettings(["--reset", "--reset-database", ""])).toThrow(/my-shop/)
  })

  it("needs no leave for a Postgres of the demo's own", () => {
    delete process.env.DATABASE_URL
    expect(readSettings(["--reset"])).toMatchObject({ reset: true })
  })

  it("deletes what the demo has made and leaves a person's own files alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "demo-folder-"))
    // It is closed to others: root's next database would lie elsewhere, and the one from before lies here.
    for (const name of ["logs", "postgres"]) await mkdir(join(folder, name))
    for (const name of ["sandbox.json", "encryption-keys", "postgres-password", "novel.txt"]) {
      await writeFile(join(folder, name), "")
    }
    await forgetEarlierRuns(folder)
    expect(await readdir(folder)).toEqual(["novel.txt"])
  })

  it("leaves the folder of a run alone that still goes on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "demo-folder-"))
    await writeFile(join(folder, "sandbox.json"), "")
    await claimFolder(folder)
    await expect(forgetEarlierRuns(folder)).rejects.toThrow("is using")
    expect(await readdir(folder)).toContain("sandbox.json")
  })
})

describe("an argument that the demo does not know", () => {
  it("is named, with the usage", () => {
    expect(() => readSettings(["--rest"])).toThrow(/--rest.*Usage: npm run demo/s)
  })
})

describe("what the demo says when it is up", () => {
  const url = { store: "http://a", sandbox: "http://b", storefront: "http://c" }
  const words = (showRuns: boolean) =>
    closingWords(url, { showRuns, evening: false, logs: ".demo/logs" })

  it("sends a person to the player while a show runs", () => {
    expect(words(true)).toContain("then the player")
    expect(words(true)).not.toContain("new show")
  })

  it("sends nobody to a player that is not there, and offers a new show", () => {
    expect(words(false)).not.toContain("then the player")
    expect(words(false)).not.toContain("the player in the corner")
    expect(words(false)).toContain("Start a new show: npm run demo -- --new-show")
  })
})
