import { join } from "node:path"
import { type Knex, knex as knexOf } from "@medusajs/framework/mikro-orm/knex"
import { MikroORM } from "@medusajs/framework/mikro-orm/postgresql"
import { defineMikroOrmCliConfig } from "@medusajs/framework/utils"
import * as models from ".."

const DATABASE = `migration_of_${process.pid}`
/** A merchant's role: it owns its database, and has no other right. */
const MERCHANT = `merchant_of_${process.pid}`

describe("the migration", () => {
  let server: Knex
  let isOwner = false
  let knex: Knex
  let orm: Awaited<ReturnType<typeof MikroORM.init>>

  beforeAll(async () => {
    server = knexOf({ client: "pg", connection: process.env.DATABASE_URL ?? "" })
    await server.raw(`CREATE DATABASE ${DATABASE}`)
    const url = new URL(process.env.DATABASE_URL ?? "")
    url.pathname = `/${DATABASE}`
    // On a server of DATABASE_URL the tests may have no more rights themselves.
    const { rows } = await server.raw("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    isOwner = rows[0].rolsuper
    if (isOwner) {
      await server.raw(`CREATE ROLE ${MERCHANT} LOGIN PASSWORD 'merchant'`)
      await server.raw(`ALTER DATABASE ${DATABASE} OWNER TO ${MERCHANT}`)
      Object.assign(url, { username: MERCHANT, password: "merchant" })
    }
    knex = knexOf({ client: "pg", connection: url.href })
    // As Medusa's `db:migrate` and `db:rollback` run it.
    orm = await MikroORM.init(
      defineMikroOrmCliConfig("svc", {
        entities: Object.values(models),
        host: url.hostname,
        port: Number(url.port),
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
        dbName: DATABASE,
        migrations: { path: join(__dirname, "../../migrations"), snapshot: false, silent: true },
      }),
    )
  })
  afterAll(async () => {
    await orm.close(true)
    await knex.destroy()
    await server.raw(`DROP DATABASE IF EXISTS ${DATABASE}`)
    if (isOwner) await server.raw(`DROP ROLE ${MERCHANT}`)
    await server.destroy()
  })

  const schema = async (): Promise<string[]> => {
    const { rows } = await knex.raw<{ rows: { line: string }[] }>(
      `SELECT table_name || '.' || column_name || ' ' || data_type AS line FROM information_schema.columns
         WHERE table_name LIKE 'svc\\_%'
       UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'svc\\_%' ORDER BY line`,
    )
    return rows.map(({ line }) => line)
  }

  it("makes a table for each model, takes them all back, and makes them anew", async () => {
    await orm.getMigrator().up()
    const made = await schema()
    for (const model of Object.values(models)) {
      expect(made).toContain(`${model.parse().tableName}.id text`)
    }
    await orm.getMigrator().down({ to: 0 })
    expect(await schema()).toEqual([])
    await orm.getMigrator().up()
    expect(await schema()).toEqual(made)
  })

  it("gives a store its tables back that are gone, once it is forgotten that it ran", async () => {
    await orm.getMigrator().up()
    const made = await schema()
    const { rows } = await knex.raw<{ rows: { tablename: string }[] }>(
      "SELECT tablename FROM pg_tables WHERE tablename LIKE 'svc\\_%'",
    )
    for (const { tablename } of rows) await knex.raw(`DROP TABLE ${tablename} CASCADE`)
    // As CONTRIBUTING.md says.
    await knex.raw("DELETE FROM mikro_orm_migrations WHERE name LIKE 'Migration%\\_svc%'")
    await orm.getMigrator().up()
    expect(await schema()).toEqual(made)
  })
})
