import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const SOURCES = join(__dirname, "../src")

/** What a shop ships that has this one line. */
async function bundle(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: "ts" },
    absWorkingDir: SOURCES,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: ["react"],
  })
  return {
    bytes: gzipSync(outputFiles[0]?.contents ?? "").byteLength,
    files: Object.keys(metafile.inputs).filter((name) => name !== "<stdin>"),
  }
}

const only = (names: string) => `export { ${names} } from "./index.ts"`

describe("the script that a shop ships", () => {
  it("is at most 3,350 bytes zipped for the player and the cart, and brings nothing but itself", async () => {
    const { bytes, files } = await bundle(only("connectPlayer, rememberCart"))
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(3_350)
    expect(files.filter((file) => !/^[a-z-]+\.ts$/.test(file))).toEqual([])
  })

  it.each([
    ["readPriceChange, acknowledge", 350],
    ["liveEvents", 1_000],
    ["openPlayer", 250],
    // With every sentence that a shopper may read.
    ["completeCart", 1_575],
  ])("leaves out what is not used: %s", async (names, most) => {
    expect((await bundle(only(names))).bytes).toBeLessThanOrEqual(most)
  })

  it("is under 5 kB zipped, whole", async () => {
    expect((await bundle('export * from "./index.ts"')).bytes).toBeLessThan(5_000)
  })
})
