import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect, promisify } from "node:util"
import { localServers } from "../../../integration-tests/setup/local-servers"
import { SvcClient, visitPage } from ".."
import { proxyFor } from "../proxy"

const TOKEN = "tok-proxy-never-shown"
const listening = localServers()
const { HTTPS_PROXY: before } = process.env
afterEach(() => {
  if (before === undefined) delete process.env.HTTPS_PROXY
  else process.env.HTTPS_PROXY = before
})

/** A real proxy; every name leads to one port of this machine. */
async function startProxy(port: number, answer = "200 OK", tls?: { key: Buffer; cert: Buffer }) {
  const asked: { place: string; authorization: string | undefined }[] = []
  const refuse: RequestListener = (_request, response) => response.writeHead(405).end()
  const server = tls ? createHttpsServer(tls, refuse) : createHttpServer(refuse)
  server.on("connect", (request: IncomingMessage, socket) => {
    asked.push({
      place: request.url ?? "",
      authorization: request.headers["proxy-authorization"],
    })
    socket.on("error", () => undefined)
    if (!answer.startsWith("200")) return socket.end(`HTTP/1.1 ${answer}\r\n\r\n`)
    const there = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      there.pipe(socket).pipe(there)
    })
    there.on("error", () => socket.destroy())
  })
  return { url: new URL(await listening(server)).host, asked }
}

const lists = (request: IncomingMessage, answer: (body: string) => void) =>
  answer(JSON.stringify({ data: request.headers.authorization === `Token ${TOKEN}` ? [] : null }))

/** A process of its own, because a process reads once whom it trusts. */
const ASK_BY_PROXY = `
  const { SvcClient } = require("./src/client")
  const asked = process.env.SERVICES.split(" ").map((baseUrl) =>
    new SvcClient({ baseUrl, apiToken: process.env.TOKEN }).listWebhooks().catch(({ code }) => code))
  Promise.all(asked).then((found) => { console.log(JSON.stringify(found)); process.exit() })`

describe("calls through a proxy", () => {
  it("ask for an https service by its name or address, judge its certificate themselves, and tell the proxy no token", async () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-proxy-"))
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const names =
      "-subj /CN=svc.example -addext subjectAltName=DNS:svc.example,IP:203.0.113.9,DNS:localhost,IP:127.0.0.1"
    execFileSync(
      "openssl",
      `req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} ${names}`.split(" "),
    )
    const tls = { key: readFileSync(key), cert: readFileSync(cert) }
    const service = await listening(
      createHttpsServer(tls, (request, response) => lists(request, (body) => response.end(body))),
    )
    const port = Number(new URL(service).port)
    const { url, asked } = await startProxy(port)
    process.env.HTTPS_PROXY = `http://shop:p%40ss@${url}`
    const client = new SvcClient({ baseUrl: "https://svc.example", apiToken: TOKEN })
    // Both of them over TLS, too.
    const secure = await startProxy(port, "200 OK", tls)
    // The last has the proxy's certificate, and none of its own.
    const SERVICES = "https://svc.example https://203.0.113.9 https://203.0.113.10"
    for (const HTTPS_PROXY of [url, `https://${secure.url}`]) {
      const trusting = promisify(execFile)(
        process.execPath,
        ["--import", "tsx", "-e", ASK_BY_PROXY],
        {
          env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: cert, HTTPS_PROXY, SERVICES, TOKEN },
          cwd: join(__dirname, "../../.."),
        },
      )
      const none = { subscribers: [], unreadable: [] }
      expect(JSON.parse((await trusting).stdout)).toEqual([none, none, "svc_unreachable"])
    }
    expect(secure.asked).toHaveLength(3)
    asked.length = 0
    // A certificate that nobody vouches for is refused through a proxy, too.
    await expect(client.listWebhooks()).rejects.toMatchObject({ code: "svc_unreachable" })
    expect(asked).toEqual([
      {
        place: "svc.example:443",
        authorization: `Basic ${Buffer.from("shop:p@ss").toString("base64")}`,
      },
    ])
    expect(JSON.stringify(asked)).not.toContain(TOKEN)
    client.close()
  })

  it("are all that goes out: a storefront is looked at through it, too", async () => {
    const { url, asked } = await startProxy(0, "502 Bad Gateway")
    process.env.HTTPS_PROXY = url
    expect(await visitPage("https://shop.example/products", false)).toMatchObject({
      kind: "unreachable",
    })
    expect(asked).toEqual([{ place: "shop.example:443", authorization: undefined }])
  })

  it("go nowhere where nobody can tell which proxy is meant", async () => {
    let connections = 0
    const service = createHttpServer()
    service.on("connection", () => {
      connections += 1
    })
    const { port } = new URL(await listening(service))
    process.env.HTTPS_PROXY = "http://shop:50%off@proxy:3128"
    const baseUrl = `https://localhost:${port}`
    const client = new SvcClient({ baseUrl, apiToken: TOKEN, allowInsecure: true })
    await expect(client.listWebhooks()).rejects.toMatchObject({
      code: "svc_unreachable",
      failure: "retry",
      message: expect.stringContaining("HTTPS_PROXY"),
    })
    expect(await visitPage(baseUrl, true)).toEqual({
      kind: "unreachable",
      problem: "ERR_PROXY_UNREADABLE",
    })
    expect(connections).toBe(0)
    client.close()
  })

  it.each(["407 Proxy Authentication Required", "502 Bad Gateway"])(
    "that it refuses (%s) are tried again, and no secret is told",
    async (answer) => {
      const { url } = await startProxy(0, answer)
      process.env.HTTPS_PROXY = `http://shop:hush@${url}`
      const client = new SvcClient({ baseUrl: "https://svc.example", apiToken: TOKEN })
      const error = await client.listWebhooks().catch((caught: unknown) => caught)
      expect(error).toMatchObject({
        code: "svc_unreachable",
        failure: "retry",
        notCarriedOut: true,
      })
      expect(inspect(error, { depth: 9 })).not.toMatch(/hush|tok-proxy/)
      expect((error as Error).message).toContain("HTTPS_PROXY")
      client.close()
    },
  )
})

describe("which proxy", () => {
  const hrefOf = (proxy: URL | Error | null) => (proxy instanceof URL ? proxy.href : proxy)
  const env = {
    HTTPS_PROXY: "http://proxy:3128",
    NO_PROXY: "localhost, .inside.example,shop.test:8443",
  }
  it.each([
    ["https://svc.example", "http://proxy:3128/"],
    ["http://svc.example", null],
    ["https://svc.inside.example", null],
    ["https://inside.example", null],
    ["https://notinside.example", "http://proxy:3128/"],
    ["https://shop.test:8443", null],
    ["https://shop.test", "http://proxy:3128/"],
    ["https://localhost:1", null],
  ])("calls to %s take: %s", (address, expected) => {
    expect(hrefOf(proxyFor(address, env))).toBe(expected)
  })

  it.each([
    ["proxy:3128", "http://proxy:3128/"],
    ["proxy.inside.example", "http://proxy.inside.example/"],
    ["shop:p%40ss@proxy:3128", "http://shop:p%40ss@proxy:3128/"],
  ])("may be written without a scheme: %s", (HTTPS_PROXY, expected) => {
    expect(hrefOf(proxyFor("https://svc.example", { HTTPS_PROXY }))).toBe(expected)
  })

  it.each([
    "proxy:port",
    "proxy:99999",
    "http://",
    "socks5://proxy:1080",
    "http://shop:50%off@proxy:3128",
  ])("cannot be told by %s, and the log repeats nothing of it", (HTTPS_PROXY) => {
    const proxy = proxyFor("https://svc.example", { HTTPS_PROXY })
    expect(proxy).toBeInstanceOf(Error)
    expect(String(proxy)).not.toMatch(/50%off|socks5/)
    expect(proxyFor("https://svc.example", { HTTPS_PROXY, NO_PROXY: "svc.example" })).toBeNull()
  })

  it("is none without a setting, and everything is exempt by a star", () => {
    expect(proxyFor("https://svc.example", {})).toBeNull()
    expect(proxyFor("https://svc.example", { ...env, NO_PROXY: "*" })).toBeNull()
  })
})
