/**
 * `npm run migration`: makes the one migration and its snapshot anew from the models, with Medusa's own generator. It
 * needs no database. The file's name stays the same, so two branches that change a model meet in one file, and whoever
 * comes second runs the command again. With `--check` it writes nothing, and fails where the files are not what the models say.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MikroORM } from "@medusajs/framework/mikro-orm/postgresql"
import { defineMikroOrmCliConfig } from "@medusajs/framework/utils"
import * as models from "../src/modules/svc/models"
import { ROOT } from "./child"

const MIGRATIONS = join(ROOT, "src", "modules", "svc", "migrations")

/** Ids of migrations share one table with those of Medusa and of other plugins, so the name says whose it is. */
const NAME = "Migration20261123000000_svc"
const SNAPSHOT = ".snapshot-svc"

/** File names and what is in them, as they are when nothing but the models decides. */
async function generateMigration(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "svc-migration-"))
  try {
    const config = defineMikroOrmCliConfig("svc", {
      entities: Object.values(models),
      // Compared with an empty snapshot, not with a database.
      connect: false,
      migrations: { path: folder, snapshotName: SNAPSHOT },
    })
    await writeFile(join(folder, `${SNAPSHOT}.json`), '{"tables": [], "namespaces": []}')
    const orm = await MikroORM.init(config)
    await orm.getMigrator().createMigration()
    await orm.close(true)
    const made = (await readdir(folder)).find((file) => file.endsWith(".ts"))
    if (!made) throw new Error("Medusa's generator has made no migration.")
    const source = await readFile(join(folder, made), "utf8")
    return {
      [`${NAME}.ts`]: source.replaceAll(made.replace(".ts", ""), NAME),
      [`${SNAPSHOT}.json`]: await readFile(join(folder, `${SNAPSHOT}.json`), "utf8"),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function write() {
  for (const [file, content] of Object.entries(await generateMigration())) {
    await writeFile(join(MIGRATIONS, file), content)
  }
}

/** @throws where models and migration do not agree */
async function check() {
  for (const [file, content] of Object.entries(await generateMigration())) {
    if ((await readFile(join(MIGRATIONS, file), "utf8").catch(() => "")) === content) continue
    throw new Error(`${file} is not what the models say: run npm run migration.`)
  }
}

void (process.argv.includes("--check") ? check() : write()).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
