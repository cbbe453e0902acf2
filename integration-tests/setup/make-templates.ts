/** A program: makes what tests begin with a copy of (`test-database.ts`). DATABASE_URL names the shop that is to be. */
import loadMedusa from "@medusajs/medusa/loaders/index"
import express from "express"
import { seedDemo } from "../../demo/catalog/seed"
import config from "../../medusa-config"
import { ROOT } from "../../tools/child"
import { migrateIfNeeded } from "../../tools/store/migrations"
import { createDatabase, templateName } from "./test-database"

async function main(): Promise<void> {
  process.chdir(ROOT)
  Object.assign(config.admin ?? {}, { disable: true })
  await migrateIfNeeded(process.env.DATABASE_URL ?? "")
  await createDatabase(templateName("migrated"), "shop")
  const { container, shutdown } = await loadMedusa({
    directory: ROOT,
    expressApp: express(),
    // Nobody asks it anything: half of the start is for that.
    skipLoadingEntryPoints: true,
  })
  await seedDemo(container)
  await shutdown()
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  },
)
