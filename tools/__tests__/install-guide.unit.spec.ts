/** The commands by which the README fills a store's `.env`, run as they are written. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"

const README = readFileSync(join(__dirname, "../../README.md"), "utf8")
const COMMANDS = README.split("\n").filter((line) => line.includes(">> .env"))

describe("the README's install", () => {
  let folder = ""
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "install-guide-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it("keeps what is in a .env whose last line has no newline, as create-medusa-app leaves it", () => {
    const before = { COOKIE_SECRET: "secret", DATABASE_URL: "postgres://localhost/my-store" }
    const file = join(folder, ".env")
    writeFileSync(
      file,
      Object.entries(before)
        .map(([name, value]) => `${name}=${value}`)
        .join("\n"),
    )
    for (const command of COMMANDS) execFileSync("sh", ["-c", command], { cwd: folder })
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({
      ...before,
      SVC_ENCRYPTION_KEYS: expect.stringMatching(/^k1:[A-Za-z0-9+/]{43}=$/),
      SVC_BACKEND_URL: expect.stringMatching(/^https:/),
    })
  })
})
