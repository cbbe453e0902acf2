import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { slim } from "../slim"

let output = ""

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), "slim-"))
  await write("src/admin/index.js", 'module.exports = "the other format"')
  await write("src/admin/index.mjs", "const named = 1;\nexport { named };\n")
  await write(
    "src/modules/svc/rows.js",
    [
      '"use strict";',
      "// Why it is so.",
      "class Rows {",
      "    /** What it answers. */",
      "    async find(container, campaignUid) {",
      "        const found = await this.read(`",
      "          SELECT *",
      "            FROM rows -- all of them",
      "        `);",
      "        return { found, campaignUid };",
      "    }",
      "}",
      "exports.Rows = Rows;",
      "//# sourceMappingURL=data:application/json;base64,e30=",
    ].join("\n"),
  )
  await write(
    "storefront/esm/react.js",
    '"use client";\n/** The player. */\nexport function useSvcPlayer(options) {\n    return options;\n}\n',
  )
  await write("storefront/svc-storefront.js", "/* as it is */")
  await slim(output)
})
afterAll(() => rm(output, { recursive: true, force: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(output, file)), { recursive: true })
  await writeFile(join(output, file), text)
}
const read = (file: string) => readFile(join(output, file), "utf8")

it("takes out comments and source maps, and leaves names, lines and indentation for whoever follows a stack trace", async () => {
  expect((await read("src/modules/svc/rows.js")).split("\n")).toEqual([
    '"use strict";',
    "class Rows {",
    "    async find(container, campaignUid) {",
    "        const found = await this.read(`",
    "          SELECT *",
    "            FROM rows -- all of them",
    "        `);",
    "        return { found, campaignUid };",
    "    }",
    "}",
    "exports.Rows = Rows;",
    "",
  ])
})

it("leaves SQL as it is, with its lines and comments", async () => {
  const rows: { Rows?: new () => { find(): Promise<unknown> } } = {}
  new Function("exports", await read("src/modules/svc/rows.js"))(rows)
  const asked: string[] = []
  await rows.Rows?.prototype.find.call({ read: (sql: string) => asked.push(sql) })
  expect(asked).toEqual(["\n          SELECT *\n            FROM rows -- all of them\n        "])
})

it("keeps the line that makes a file a client component of React", async () => {
  expect(await read("storefront/esm/react.js")).toBe(
    '"use client";\nexport function useSvcPlayer(options) {\n    return options;\n}\n',
  )
  expect(await read("storefront/svc-storefront.js")).toBe("/* as it is */")
})

it("leaves the admin as one ES module under the name that Medusa looks for", async () => {
  expect(await read("src/admin/index.js")).toMatch(/^const \w+=1;export\{\w+ as named\};\n$/)
  expect(await read("src/admin/package.json")).toBe('{"type":"module"}\n')
  await expect(read("src/admin/index.mjs")).rejects.toThrow("ENOENT")
})
