/** What `docs/releasing.md` promises of the three packages. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(__dirname, "../..")
const PACKAGES = [".", "sandbox", "storefront"]
type Manifest = { version: string; license: string; type?: string; bin?: Record<string, string> }
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"))

describe("the three packages", () => {
  it("have one version", () => {
    expect(new Set(PACKAGES.map((folder) => manifest(folder).version)).size).toBe(1)
  })

  it.each(PACKAGES)("carry their licence (%s)", (folder) => {
    expect(manifest(folder).license).toBe("MIT")
    expect(existsSync(join(ROOT, folder, "LICENSE"))).toBe(true)
  })

  it.each(PACKAGES)("are published as they are written, without a warning (%s)", (folder) => {
    const { type, bin = {} } = manifest(folder)
    // npm rewrites `./bin/...`, and says that it has removed it.
    expect(Object.values(bin).filter((path) => path.startsWith("."))).toEqual([])
    expect(type).toBeDefined()
  })
})
