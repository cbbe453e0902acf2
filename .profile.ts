import { readFileSync } from "node:fs"
import { execSync } from "node:child_process"
import { Client } from "@medusajs/framework/pg"
import { startTestDatabaseServer } from "./integration-tests/setup/database"
import { TEST_ENCRYPTION_KEYS } from "./integration-tests/setup/medusa"
import { eventProduct } from "./integration-tests/setup/deliveries"
import { postOf, pump } from "./integration-tests/setup/pump"
import { addReceiver, RECEIVER } from "./integration-tests/setup/receiving-store"
import { createDatabase } from "./integration-tests/setup/store-process"
import { createDelivery } from "./src/testing"
import { startChild } from "./tools/child"
import { freePort } from "./tools/ports"
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" "); return (Number(f[11]) + Number(f[12])) * 10 }
async function main() {
  const server = await startTestDatabaseServer("/work/wt/webhooks")
  Object.assign(process.env, server.env)
  const database = await createDatabase("profile_" + process.pid)
  try {
    const port = await freePort()
    const mode = process.env.PMODE ?? "server"
    const child = await startChild({ name: "store", script: ".prof-store.ts", env: { DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: "error", NODE_ENV: "", MEDUSA_WORKER_MODE: mode, SVC_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS, SVC_ALLOW_INSECURE_URLS: "true", NODE_OPTIONS: "" }, readyUrl: `http://127.0.0.1:${port}/health`, timeoutMs: 600000 })
    await addReceiver(database.url, { baseUrl: "http://127.0.0.1:9" })
    let n = 0
    const reqs = Array.from({ length: 6000 }, () => { n++; const { body, headers } = createDelivery({ key: RECEIVER.key, topic: "live_event_product.updated", pageUid: RECEIVER.pageUid, data: eventProduct(`p${n % 500}`, "c", { price: n, description: "x".repeat(1000) }) }); return postOf(`/hooks/svc/${RECEIVER.connectionId}`, body, headers) })
    await pump({ port, connections: 32, total: 2000, request: (i) => reqs[i]! })
    if (process.env.PROFILE) process.kill(child.pid, "SIGUSR2")
    await new Promise((r) => setTimeout(r, 500))
    const client = new Client({ connectionString: database.url }); await client.connect()
    const pgs = () => execSync("pgrep -f svc-receiver\\|svc-shows || true").toString()
    const before = cpu(child.pid)
    const pg0 = Number(execSync(`ps -eo pid,args | grep -E 'postgres: .*profile_${process.pid}' | grep -v grep | awk '{print $1}' | xargs -I{} cat /proc/{}/stat | awk '{s+=$14+$15} END {print s*10}'`).toString())
    const r = await pump({ port, connections: 32, total: 4000, request: (i) => reqs[2000 + i]! })
    const pg1 = Number(execSync(`ps -eo pid,args | grep -E 'postgres: .*profile_${process.pid}' | grep -v grep | awk '{print $1}' | xargs -I{} cat /proc/{}/stat | awk '{s+=$14+$15} END {print s*10}'`).toString())
    console.log("rps", Math.round(r.perSecond), r.statuses, "store us/request", (cpu(child.pid) - before) * 1000 / 4000, "pg us/request", (pg1 - pg0) * 1000 / 4000)
    const { rows } = await client.query("SELECT count(*)::int c, count(DISTINCT received_at)::int statements FROM svc_delivery"); console.log(rows)
    await client.end()
    if (process.env.PROFILE) { process.kill(child.pid, "SIGHUP"); await new Promise((r) => setTimeout(r, 4000)) }
    await child.stop()
  } finally { await database.drop(); await server.stop() }
}
main().then(() => process.exit(0), (e) => { console.error(e); process.exit(1) })
