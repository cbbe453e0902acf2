/** `pgbouncer-server.mjs <program> <its settings>`: a PgBouncer, until whoever started this ends. */
import { spawn } from "node:child_process"

const [program, settings] = process.argv.slice(2)
const server = spawn(program, [settings], { stdio: ["ignore", "inherit", "pipe"] })
server.stderr.on("data", (chunk) => {
  process.stderr.write(chunk)
  if (String(chunk).includes("process up")) process.send({ ready: true })
})
server.once("exit", (code) => process.exit(code ?? 1))
process.on("SIGTERM", () => server.kill("SIGTERM"))
