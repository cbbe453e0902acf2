/** Receivers over HTTPS (interface §2.4, §7), with a good, an expired and a self-signed certificate. */

import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import https from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { createControlClient } from "../index"
import { runCommand, TOKEN } from "./harness"

const folder = mkdtempSync(path.join(tmpdir(), "certificates-"))
const openssl = (command: string) =>
  execFileSync("openssl", command.split(" "), { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
const read = (name: string) => readFileSync(path.join(folder, name), "utf8")

/** An authority of the tests' own, and what it signed. */
function makeCertificates(): void {
  writeFileSync(path.join(folder, "names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
  const selfSigned = "req -x509 -newkey rsa:2048 -nodes -days 30"
  openssl(`${selfSigned} -keyout ca.key -out ca.pem -subj /CN=authority`)
  for (const name of ["good", "expired"]) {
    const days = name === "good" ? 30 : -1
    openssl(
      `req -new -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=localhost`,
    )
    openssl(
      `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -set_serial 7 -extfile names -out ${name}.pem -days ${days}`,
    )
  }
  const names = "-subj /CN=localhost -addext subjectAltName=DNS:localhost"
  openssl(`${selfSigned} -keyout own.key -out own.pem ${names}`)
}

async function receiver(name: string) {
  const paths: string[] = []
  const server = https.createServer(
    { key: read(`${name}.key`), cert: read(`${name}.pem`) },
    (request, response) => {
      paths.push(request.url ?? "")
      request.resume()
      response.end("ok")
    },
  )
  server.on("tlsClientError", () => undefined)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `https://localhost:${port}/hooks`, paths, close }
}

let sandbox: Awaited<ReturnType<typeof startTrusting>>

/** In a process of its own, because Node reads further authorities when it starts. */
async function startTrusting() {
  const { child, ready } = runCommand(["--port", "0"], {
    NODE_OPTIONS: "",
    NODE_EXTRA_CA_CERTS: path.join(folder, "ca.pem"),
  })
  const url = await ready()
  const service = async (to: string, input: object) => {
    const response = await fetch(`${url}${to}`, {
      method: "POST",
      headers: { authorization: `Token ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    })
    return { body: (await response.json()) as Record<string, unknown> }
  }
  return { control: createControlClient(url), service, stop: () => child.kill("SIGTERM") }
}

beforeAll(async () => {
  makeCertificates()
  sandbox = await startTrusting()
})
afterAll(async () => {
  sandbox?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Sent = { status: number | null; outcome: string; error: string | null }

/** To a sandbox whose process trusts the tests' authority, as an operator would add one. */
async function deliverTo(name: string) {
  const { url, paths, close } = await receiver(name)
  const { control, service } = sandbox
  const { body } = await service("/api/v1/webhooks", {
    name,
    url,
    topics: ["live_event.updated"],
  })
  await control.emit({ page_uid: "demo-page", topic: "live_event.updated", data: { name } })
  await control.clock.settle()
  const { deliveries } = await control.deliveries.list({ subscriber_uid: String(body.webhookUid) })
  await close()
  const attempts: Sent[] = deliveries[0]?.attempts ?? []
  return { state: deliveries[0]?.state, attempts, paths }
}

test("§1 a signed HTTPS POST reaches a receiver with a good certificate", async () => {
  const { state, attempts, paths } = await deliverTo("good")
  expect([state, attempts]).toMatchObject(["delivered", [{ status: 200, error: null }]])
  expect(paths).toEqual(["/hooks"])
})

test.each([
  ["expired", "CERT_HAS_EXPIRED"],
  ["own", "DEPTH_ZERO_SELF_SIGNED_CERT"],
])("§7 a certificate that is %s is a handshake failure, and retried", async (name, code) => {
  const { state, attempts, paths } = await deliverTo(name)
  expect([state, attempts]).toMatchObject(["pending", [{ status: null, outcome: "retry" }]])
  expect(attempts[0]?.error).toContain(code)
  expect(paths).toEqual([])
})
