/** A PgBouncer of a test's own in front of a database: in transaction mode, everything else as it comes. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { findProgram } from "./find-program"

export const findPgBouncer = () => findProgram("pgbouncer")

/** @param databaseUrl of the database behind it */
export async function startPgBouncer(
  databaseUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = findPgBouncer()
  if (!program) throw new Error("There is no pgbouncer (Debian: apt-get install pgbouncer).")
  const behind = new URL(databaseUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), "svc-pgbouncer-"))
  const path = (name: string) => join(folder, name)
  const [name, user, password] = [behind.pathname.slice(1), behind.username, behind.password]
  // It refuses to be root, and then becomes somebody who owns nothing.
  const isRoot = userInfo().uid === 0
  await writeFile(
    path("pgbouncer.ini"),
    [
      "[databases]",
      `${name} = host=${behind.hostname} port=${behind.port || 5432} dbname=${name}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${path("users.txt")}`,
      "pool_mode = transaction",
      ...(isRoot ? ["user = nobody"] : []),
    ].join("\n"),
  )
  const plain = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`
  await writeFile(path("users.txt"), `${plain(user)} ${plain(password)}\n`)
  await chmod(folder, 0o755)
  const server = await startChild({
    name: "PgBouncer",
    script: "integration-tests/setup/pgbouncer-server.mjs",
    args: [program, path("pgbouncer.ini")],
    env: { NODE_OPTIONS: "" },
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
