/** `redis-server.mjs <program> [...its arguments]`: a Redis in memory, until whoever started this ends. */
import { spawn } from "node:child_process"

const [program, ...options] = process.argv.slice(2)
const server = spawn(program, [...options, "--save", "", "--appendonly", "no"], {
  stdio: ["ignore", "pipe", "inherit"],
})
server.stdout.on("data", (chunk) => {
  if (String(chunk).includes("Ready to accept connections")) process.send({ ready: true })
})
server.once("exit", (code) => process.exit(code ?? 1))
process.on("SIGTERM", () => server.kill("SIGINT"))
