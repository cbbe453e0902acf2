/** package-lock.json as somebody else's machine meets it. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const ROOT = resolve(__dirname, "..", "..")

type Manifest = { workspaces?: string[] }
const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-lockfile-"))
  const files = ["package.json", "package-lock.json"]
  for (const workspace of manifest.workspaces ?? []) files.push(join(workspace, "package.json"))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What `npm ci` would do, asking no registry: what the lock file lacks cannot be made up for. */
function npmCi(): Promise<{ exitCode: number; output: string }> {
  const args = ["ci", "--dry-run", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"]
  const cache = join(folder, "empty-cache")
  return new Promise((done) => {
    execFile(
      process.platform === "win32" ? "npm.cmd" : "npm",
      [...args, "--cache", cache],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => done({ exitCode: error ? 1 : 0, output: stdout + stderr }),
    )
  })
}

test("`npm ci` finds every package in the lock file, and none wants another Node", async () => {
  const { exitCode, output } = await npmCi()
  // Optional packages of other platforms are lost from the file where the registry that wrote it did not have them.
  expect(output.split("\n").filter((line) => /Missing:|EBADENGINE/.test(line))).toEqual([])
  expect({ exitCode, output: exitCode === 0 ? "" : output }).toEqual({ exitCode: 0, output: "" })
})

test("the lock file names no registry", () => {
  expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(
    /"resolved": "(?!file:)\w+:/,
  )
})
