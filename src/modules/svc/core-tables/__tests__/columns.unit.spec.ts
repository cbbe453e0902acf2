import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { CORE_COLUMNS, CORE_TABLES } from "../columns"

const FOLDER = join(__dirname, "..")
const SOURCES = join(__dirname, "../../../..")

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "__tests__" ? [] : sources(path)
    return /\.ts$/.test(entry.name) ? [path] : []
  })
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*(\/\/|--).*$/gm, "")

const KEYWORDS = "FROM|JOIN|INTO|UPDATE|USING"
/** What may stand where a table's name does. */
const NOT_TABLES = new Set(["unnest", "jsonb_to_recordset", "information_schema", "lateral", "set"])

/** Tables of the SQL in a file, each with the name that the statement gives it. */
function tablesIn(text: string): { table: string; alias: string }[] {
  const code = withoutComments(text)
  // Names that a statement makes up itself: WITH name AS (...).
  const own = new Set(
    [...code.matchAll(/\b([a-z_]+) AS (?:MATERIALIZED )?\(/g)].map(([, name]) => name),
  )
  return [
    ...code.matchAll(
      new RegExp(`\\b(?:${KEYWORDS})\\s+"?([a-z_]+)\\b"?(?:\\s+(?:AS\\s+)?([a-z_]+)\\b)?`, "g"),
    ),
  ].flatMap(([, table = "", alias]) =>
    own.has(table) || NOT_TABLES.has(table) ? [] : [{ table, alias: alias ?? table }],
  )
}

const columnsOf = (table: string): Set<string> =>
  new Set(Object.values(CORE_COLUMNS).flatMap((ofUse) => ofUse[table] ?? []))

const files = sources(FOLDER).filter((file) => !/(columns|check-columns)\.ts$/.test(file))

describe("the list of Medusa's tables that we rely on", () => {
  it("is of the statements in this folder", () => {
    const used = new Set(
      files.flatMap((file) => tablesIn(readFileSync(file, "utf8"))).map(({ table }) => table),
    )
    const ofMedusa = [...used].filter((table) => !table.startsWith("svc_")).sort()
    expect(ofMedusa).toEqual(CORE_TABLES)
  })

  it.each(files.map((file) => [relative(FOLDER, file), file]))(
    "has the columns of %s",
    (_, file) => {
      const text = readFileSync(file, "utf8")
      const byAlias = new Map<string, Set<string>>()
      for (const { table, alias } of tablesIn(text)) {
        if (table.startsWith("svc_")) {
          byAlias.delete(alias)
          continue
        }
        // One name may stand for several tables in a file: a column has to be one of theirs.
        const known = byAlias.get(alias) ?? new Set<string>()
        for (const column of columnsOf(table)) known.add(column)
        byAlias.set(alias, known)
        byAlias.set(table, new Set([...(byAlias.get(table) ?? []), ...columnsOf(table)]))
      }
      const code = withoutComments(text)
      const unlisted = [...code.matchAll(/\b([a-z_]+)\.([a-z_]+)\b/g)]
        .filter(
          ([, alias = "", column = ""]) => byAlias.has(alias) && !byAlias.get(alias)?.has(column),
        )
        .map(([name]) => name)
      expect(unlisted).toEqual([])
    },
  )

  it("is complete: no statement elsewhere touches one of these tables", () => {
    const elsewhere = sources(SOURCES)
      .filter((file) => relative(FOLDER, file).startsWith(".."))
      .flatMap((file) => {
        const text = readFileSync(file, "utf8")
        // knex("table as alias"), .join("table", ...)
        const built = [...text.matchAll(/\b(?:knex|trx|from|\w*[jJ]oin)\(\s*"([a-z_]+)/g)]
        const tables = [
          ...tablesIn(text).map(({ table }) => table),
          ...built.map(([, table]) => table),
        ]
        return tables
          .filter((table) => CORE_TABLES.includes(table ?? ""))
          .map((table) => `${relative(SOURCES, file)}: ${table}`)
      })
    expect(elsewhere).toEqual([])
  })
})
