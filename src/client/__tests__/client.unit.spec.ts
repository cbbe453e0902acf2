import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTcpServer, type Socket } from "node:net"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { localServers } from "../../../integration-tests/setup/local-servers"
import { simple as product } from "../../../integration-tests/setup/pushed-products"
import { type CallLimits, errorForStatus, readRetryAfter, SvcClient, SvcError } from ".."

const TOKEN = "tok-7c1f-NEVER-SHOWN-a09b"

/** What a test started beside servers, closed after it and before them. */
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const listening = localServers()

type Received = { method: string; url: string; headers: IncomingMessage["headers"]; body: string }

/** A real server on a port of its own, and what reached it. */
async function service(answer: RequestListener): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on("data", (chunk: Buffer) => chunks.push(chunk))
    req.on("end", () => {
      received.push({
        method: req.method ?? "",
        url: req.url ?? "",
        headers: req.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      })
      answer(req, res)
    })
  })
  return { url: await listening(server), received }
}

/** A server below HTTP, for answers that are none. */
async function socketServer(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.once("data", () => onRequest(socket))
  })
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listening(server)
}

function clientOf(baseUrl: string, apiToken = TOKEN): SvcClient {
  const client = new SvcClient({ baseUrl, apiToken })
  cleanups.push(() => client.close())
  return client
}

/** How one lookup against this address fails. */
async function failureOf(
  baseUrl: string,
  limits: CallLimits = { timeoutMs: 60_000 },
  apiToken = TOKEN,
): Promise<SvcError> {
  try {
    await clientOf(baseUrl, apiToken).getCampaignProductPrice("c1", { productId: "p1" }, limits)
  } catch (error) {
    if (error instanceof SvcError) return expectNoSecret(error)
    throw error
  }
  throw new Error("the call did not fail")
}

/** A log, a debugger or a job runner may print any of these. */
function expectNoSecret(error: SvcError): SvcError {
  const shown = [
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(error),
    String(error),
    error.stack ?? "",
    inspect(error.cause, { depth: Number.POSITIVE_INFINITY }),
  ].join("\n")
  expect(shown).not.toContain(TOKEN)
  expect(shown).not.toMatch(/authorization/i)
  return error
}

const json = (status: number, body: unknown, headers = {}): RequestListener => {
  return (_req, res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers })
    res.end(typeof body === "string" ? body : JSON.stringify(body))
  }
}

describe("each call goes where the interface says (interface §4)", () => {
  const subscriber = { webhookUid: "w1", url: "https://shop.example.com", state: "active" }
  const webhook = {
    name: "shop",
    url: "https://shop.example.com",
    topics: ["live_event.created" as const],
  }

  it.each<[string, (client: SvcClient) => Promise<unknown>, string, string, unknown]>([
    [
      "products",
      (c) => c.pushProducts([JSON.stringify(product)]),
      "POST",
      "/products",
      { products: [product] },
    ],
    [
      "a price",
      (c) => c.getCampaignProductPrice("c1", { productId: "p", variantId: "v" }),
      "POST",
      "/getCampaignProductPrice/c1",
      { productId: "p", variantId: "v" },
    ],
    [
      "an order",
      (c) => c.processOrder("o-1", "key"),
      "POST",
      "/processOrders",
      { svcOrderNumber: "o-1" },
    ],
    ["a new webhook", (c) => c.createWebhook(webhook), "POST", "/api/v1/webhooks", webhook],
    ["all webhooks", (c) => c.listWebhooks(), "GET", "/api/v1/webhooks", null],
    [
      "a changed webhook",
      (c) => c.updateWebhook("w1", { name: "x" }),
      "PATCH",
      "/api/v1/webhooks/w1",
      { name: "x" },
    ],
    ["a webhook less", (c) => c.deleteWebhook("w1"), "DELETE", "/api/v1/webhooks/w1", null],
    [
      "a new key",
      (c) => c.rotateSignatureKey("w1"),
      "POST",
      "/api/v1/webhooks/w1/rotateSignatureKey",
      null,
    ],
    [
      "live events",
      (c) => c.listEvents("live", { limit: 50, offset: 100 }),
      "GET",
      "/api/v1/liveEvents?limit=50&offset=100",
      null,
    ],
    [
      "shoppables",
      (c) => c.listEvents("shoppable", { limit: 1, offset: 0 }),
      "GET",
      "/api/v1/shoppables?limit=1&offset=0",
      null,
    ],
  ])("%s", async (_what, call, method, url, body) => {
    const svc = await service(json(200, { price: 1, data: [subscriber], webhook: subscriber }))
    // A service may live under a path of its host.
    await call(clientOf(`${svc.url}/svc/base`))
    expect(svc.received).toHaveLength(1)
    const [request] = svc.received
    expect(request).toMatchObject({ method, url: `/svc/base${url}` })
    expect(request?.body ? JSON.parse(request.body) : null).toEqual(body)
    // gap 52
    expect(request?.headers.authorization).toBe(`Token ${TOKEN}`)
    if (body) expect(request?.headers["content-type"]).toMatch(/^application\/json/)
  })

  it("an order carries the same key on every attempt (gap 47)", async () => {
    const svc = await service(json(200, {}))
    const client = clientOf(svc.url)
    await client.processOrder("o-1", "order_1:o-1")
    await client.processOrder("o-1", "order_1:o-1")
    expect(svc.received.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "order_1:o-1",
      "order_1:o-1",
    ])
  })

  it.each(["..", "", "a/../b", "a\\..", "c\r\nX: y", "x".repeat(501)])(
    "an identifier that could leave its place in the path is never sent: %j",
    async (uid) => {
      const svc = await service(json(200, { price: 1 }))
      const client = clientOf(svc.url)
      const calls = [
        client.getCampaignProductPrice(uid, { productId: "p" }),
        client.updateWebhook(uid, {}),
        client.deleteWebhook(uid),
        client.rotateSignatureKey(uid),
      ]
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({
          status: "rejected",
          reason: { name: "SvcError", failure: "dead" },
        })
      }
      expect(svc.received).toEqual([])
    },
  )
})

it.each(["summer 26", "c/1", "%2e%2e", "a?b#c", "sommer-æ"])(
  "the campaign %j is one segment of the address (interface §4.1)",
  async (uid) => {
    const svc = await service(json(200, { price: 1 }))
    await clientOf(svc.url).getCampaignProductPrice(uid, { productId: "p" })
    const [{ url = "" } = {}] = svc.received
    expect(url.split("/").map(decodeURIComponent)).toEqual(["", "getCampaignProductPrice", uid])
  },
)

describe("what a status means (gap 53)", () => {
  it.each([
    ["svc_rejected", "dead", [400, 409, 413, 422]],
    ["svc_unauthorized", "broken", [401]],
    ["svc_forbidden", "endpoint", [403]],
    ["svc_not_found", "dead", [404, 410]],
    ["svc_endpoint_closed", "endpoint", [402, 405, 451]],
    ["svc_rate_limited", "retry", [429]],
    ["svc_unavailable", "retry", [408, 425, 500, 501, 502, 503, 504, 599]],
    ["svc_unreachable", "retry", [301, 302, 303, 307, 308]],
  ])("%s, %s: %j", async (code, failure, statuses) => {
    for (const status of statuses) {
      const asked = { what: "ask", excerpt: null, retryAfterMs: null, namesThing: true }
      const error = errorForStatus(status, asked)
      expect(error).toMatchObject({ status, code, failure })
      expect(error.message).toContain(String(status))
    }
  })

  it("404 is about the price that was asked for", async () => {
    const svc = await service(json(404, { error: "because" }))
    expect(await failureOf(svc.url)).toMatchObject({ code: "svc_not_found", failure: "dead" })
    expect(svc.received).toHaveLength(1)
  })

  it.each([302, 307])(
    "a redirect (%i) is not followed but tried again, and its target sees no token",
    async (status) => {
      const target = await service(json(200, { price: 1 }))
      const svc = await service(json(status, "", { location: `${target.url}/elsewhere` }))
      expect(await failureOf(svc.url)).toMatchObject({
        status,
        code: "svc_unreachable",
        failure: "retry",
      })
      expect(target.received).toEqual([])
      expect(svc.received).toHaveLength(1)
    },
  )

  it("is made again only after a 429 that asks for no more than the caller's patience, and not without a pause", async () => {
    const callsOf = async (status: number, retryAfter: string, limits: CallLimits) => {
      const svc = await service(json(status, {}, { "retry-after": retryAfter }))
      await failureOf(svc.url, limits)
      return svc.received.length
    }
    expect(await callsOf(429, "1", {})).toBe(1)
    expect(await callsOf(429, "2", { patienceMs: 1_900 })).toBe(1)
    expect(await callsOf(503, "0", { patienceMs: 1_900 })).toBe(1)
    expect(await callsOf(429, "1", { patienceMs: 2_900 })).toBeGreaterThan(1)
    const withoutPause = await callsOf(429, "0", { patienceMs: 1_500 })
    expect(withoutPause).toBeGreaterThan(1)
    expect(withoutPause).toBeLessThanOrEqual(6)
  })

  it.each(["the client is closed", "the caller gives up"])(
    "is not made again where it was put off and %s meanwhile, and fails as put off",
    async (what) => {
      const svc = await service(json(429, {}, { "retry-after": "5" }))
      const client = clientOf(svc.url)
      const caller = new AbortController()
      const limits = { patienceMs: 60_000, signal: caller.signal }
      const call = client.rotateSignatureKey("w1", limits).catch((error: unknown) => error)
      while (svc.received.length === 0) await new Promise(setImmediate)
      // It waits, once its answer is read.
      await new Promise((resolve) => setTimeout(resolve, 500))
      if (what === "the client is closed") client.close()
      else caller.abort()
      expect(await call).toMatchObject({ code: "svc_rate_limited", notCarriedOut: true })
      expect(svc.received).toHaveLength(1)
    },
  )

  it("waits as long as the service asks (429, 503)", async () => {
    for (const status of [429, 503]) {
      const svc = await service(json(status, {}, { "retry-after": "120" }))
      expect(await failureOf(svc.url)).toMatchObject({ status, retryAfterMs: 120_000 })
    }
  })
})

describe("whether a failed call may have been carried out", () => {
  const answer = (status: number) =>
    errorForStatus(status, { what: "report an order", excerpt: "no", retryAfterMs: null })
  const unreachable = { code: "svc_unreachable", failure: "retry", message: "gone" } as const
  it.each([
    ["no answer", new SvcError(unreachable), true],
    ["a gateway's answer", answer(502), true],
    ["its own word that it is not at work", answer(503), false],
    ["a refusal", answer(422), false],
    ["nobody was there", new SvcError({ ...unreachable, notCarriedOut: true }), false],
  ])("%s", (_, error, may) => expect(error.mayHaveBeenCarriedOut).toBe(may))
})

describe("what a merchant sees of an answer", () => {
  it("is its first 500 characters", async () => {
    const svc = await service(json(422, `price is missing ${"x".repeat(5_000)}`))
    const { excerpt } = await failureOf(svc.url)
    expect(excerpt).toHaveLength(500)
    expect(excerpt).toMatch(/^price is missing/)
  })

  it.each([200, 422])(
    "never is the token, even where the service sends it back (%i)",
    async (status) => {
      const svc = await service((req, res) => {
        res.writeHead(status, { "content-type": "application/json" })
        // Debug pages echo headers; the cut at 500 must not leave half a token either.
        const echo = `${req.headers.authorization} `
        res.end(JSON.stringify({ debug: echo + "x".repeat(443) + echo + echo }))
      })
      try {
        await clientOf(svc.url).getCampaignProductPrice("c1", { productId: "p1" })
        throw new Error("the call did not fail")
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
        for (let length = 8; length <= TOKEN.length; length++) {
          expect(`${error.excerpt} ${error.message}`).not.toContain(TOKEN.slice(0, length))
        }
      }
    },
  )

  it("never is the token, where it is what is said of one product, or written with escaped characters", async () => {
    const svc = await service((req, res) => {
      const echo = String(req.headers.authorization)
      const results = [
        { id: "p1", valid: false, message: `${"x".repeat(480)} ${echo}`, code: echo },
        { id: "p2", error: { message: echo } },
      ]
      const isPush = req.url === "/products"
      const body = isPush ? { results } : { message: echo }
      res.writeHead(isPush ? 200 : 422, { "content-type": "application/json" })
      res.end(JSON.stringify(body).replaceAll("/", "\\/").replaceAll("+", "\\u002B"))
    })
    const token = "tok/7c1f+NEVER/SHOWN="
    const client = clientOf(svc.url, token)
    const failures = await client.pushProducts(['{"id":"p1"}', '{"id":"p2"}'])
    expect(failures.map(({ id }) => id)).toEqual(["p1", "p2"])
    const { said } = await failureOf(svc.url, undefined, token)
    const shown = JSON.stringify([failures, said])
    for (let length = 8; length <= token.length; length++) {
      expect(shown).not.toContain(token.slice(0, length))
    }
    expect(failures[1]?.message).toBe("Token [token]")
    expect(said).toBe("Token [token]")
  })

  it("comes although half the token, again and again, is in the answer: it is not tried in every combination of spellings", async () => {
    const token = "0123456789abcdef".repeat(4)
    const half = `${token.slice(0, 45)} … `
    const svc = await service((_req, res) => {
      res.writeHead(422, { "content-type": "application/json" })
      res.end(JSON.stringify({ message: half.repeat(20_000) }))
    })
    expect((await failureOf(svc.url, undefined, token)).status).toBe(422)
  })

  describe("never is the value of a custom header, which may be a gateway's secret", () => {
    const SECRET = 'gate/3f9a+"NEVER"\tøhown=='
    const request = (value = SECRET) => ({
      name: "store",
      url: "https://shop.example.com/hooks",
      topics: [],
      customHeaders: [{ name: "X-Gateway", value }],
    })
    const shownOf = async (call: Promise<unknown>) => {
      try {
        await call
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
        return `${error.excerpt} ${error.message} ${error.said}`
      }
      throw new Error("the call did not fail")
    }
    const expectNoValue = (shown: string) => {
      expect(shown).toContain("X-Gateway")
      expect(shown).toContain("[header]")
      for (const part of ["gate/3f9a", "gate\\/3f9a", "NEVER", "hown"]) {
        expect(shown).not.toContain(part)
      }
    }
    /** An answer that repeats what it was asked, with half a value where it is cut. */
    const echo = (status: number, more: object = {}): RequestListener => {
      const header = request().customHeaders[0]
      const long = "x".repeat(400)
      const body = JSON.stringify({
        error: "no",
        headers: [header],
        ...more,
        long,
        again: [header],
      })
      return (_req, res) => {
        res.writeHead(status, { "content-type": "application/json" })
        res.end(body.replaceAll("/", "\\/").replaceAll("ø", "\\u00F8"))
      }
    }

    it.each([
      ["a refusal", 422],
      ["a refusal in a 2xx", 200],
      ["a failure", 500],
    ])("sent back in %s", async (_what, status) => {
      const svc = await service(echo(status))
      const call = clientOf(svc.url).createWebhook(request())
      expectNoValue(await shownOf(call))
    })

    it("that the service has from before, and shows in its list", async () => {
      const svc = await service((req, res) => {
        const listed = { ...request(), id: "w1" }
        if (req.method === "GET") json(200, JSON.stringify([listed]))(req, res)
        else echo(409)(req, res)
      })
      const client = clientOf(svc.url)
      await client.listWebhooks()
      expectNoValue(await shownOf(client.updateWebhook("w1", { name: "other" })))
      expectNoValue(await shownOf(client.deleteWebhook("w1")))
      expectNoValue(await shownOf(client.rotateSignatureKey("w1")))
    })

    it("and takes no letters out of a refusal, and no words out of other answers", async () => {
      const svc = await service(json(422, "a subscriber of havn too many"))
      const client = clientOf(svc.url)
      expect(await shownOf(client.createWebhook(request("a")))).toContain("a subscriber of havn")
      expect(await shownOf(client.createWebhook(request("havn")))).toContain("of [header] too")
      expect(await shownOf(client.processOrder("o1", "key"))).toContain("a subscriber of havn")
    })
  })

  it("can be stored: no NUL and no half character, which Postgres refuses", async () => {
    for (const body of [`a\u0000b`, `${"x".repeat(499)}\ud83d\ude00 and more`]) {
      const svc = await service(json(500, body))
      const { excerpt } = await failureOf(svc.url)
      // JSON escapes exactly what Postgres does not take.
      expect(JSON.stringify(excerpt)).not.toMatch(/\\u(0000|d[89a-f])/i)
      expect(excerpt).toContain(body.slice(0, 1))
    }
  })
})

describe("a 2xx answer", () => {
  it.each<[number, string, string?]>([
    [200, ""],
    [200, "<html>Thank you</html>"],
    [202, '{"half":'],
    [204, ""],
    [299, "[]"],
    [200, '{"success":true,"error":[]}'],
    // Servers that are told nothing of it call a word a page.
    [200, "OK", "text/html; charset=utf-8"],
  ])(
    "takes the batch and the order, whatever it says (%i %j, gap 23)",
    async (status, body, type = "") => {
      const svc = await service((_req, res) =>
        res.writeHead(status, type ? { "content-type": type } : {}).end(body),
      )
      const client = clientOf(svc.url)
      await expect(client.pushProducts([])).resolves.toEqual([])
      await expect(client.processOrder("o", "k")).resolves.toBeUndefined()
      await expect(client.deleteWebhook("w1")).resolves.toBeUndefined()
    },
  )

  it.each([
    { success: false, error: "unknown order" },
    { error: { message: "no" } },
    { success: false },
    { data: { success: false, error: "unknown order" } },
    { status: "error", message: "unknown order" },
    { errors: [{ message: "unknown order" }] },
  ])("refuses products, an order, and all of webhooks where it says so: %j", async (body) => {
    const svc = await service(json(200, JSON.stringify(body)))
    const client = clientOf(svc.url)
    for (const call of [
      client.pushProducts(['{"id":"p1"}', '{"id":"p2"}']),
      client.processOrder("o", "k"),
      client.createWebhook({ name: "w", url: "https://x.example.com", topics: [] }),
      client.rotateSignatureKey("w1"),
      client.updateWebhook("w1", { name: "w" }),
      client.deleteWebhook("w1"),
    ]) {
      await expect(call).rejects.toMatchObject({
        code: "svc_rejected",
        failure: "dead",
        excerpt: JSON.stringify(body),
      })
    }
  })

  it("is a page for people: it is tried again, and nobody knows whether anything was taken", async () => {
    const page = "<html>We are back soon</html>"
    const svc = await service((_req, res) =>
      res.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page),
    )
    const client = clientOf(svc.url)
    for (const call of [client.pushProducts([]), client.processOrder("o", "k")]) {
      await expect(call).rejects.toMatchObject({
        code: "svc_unreachable",
        failure: "retry",
        status: null,
        excerpt: page,
        mayHaveBeenCarriedOut: true,
      })
    }
  })

  it.each([
    ["empty", ""],
    ["a page", "<html>maintenance</html>"],
    ["half of it", '{"price": 1'],
    ["no price", '{"ok":true}'],
    ["a negative price", '{"price":-1}'],
  ])("sells nothing where it has no price: %s (gap 33)", async (_what, body) => {
    const svc = await service(json(200, body))
    expect(await failureOf(svc.url)).toMatchObject({ code: "svc_unreadable", failure: "dead" })
  })

  it("with a byte order mark, another content type or compressed is read all the same", async () => {
    const answers: RequestListener[] = [
      (_req, res) => res.end(`\ufeff{"price":7}`),
      (_req, res) => res.writeHead(200, { "content-type": "text/html" }).end('{"price":7}'),
      (_req, res) =>
        res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"price":7}')),
    ]
    for (const answer of answers) {
      const svc = await service(answer)
      const price = await clientOf(svc.url).getCampaignProductPrice("c1", { productId: "p1" })
      expect(price.amount).toBe(7)
    }
  })

  it("that names its failures gives them back (gap 23)", async () => {
    const svc = await service(
      json(200, { results: [{ id: "p1", valid: false, message: "no image" }] }),
    )
    expect(await clientOf(svc.url).pushProducts(['{"id":"p1"}'])).toEqual([
      { id: "p1", code: null, message: "no image" },
    ])
  })

  it.each([
    [{ success: false, error: "no image" }, '{"success":false,"error":"no image"}'],
    [{ error: { message: "no image" } }, "no image"],
    [{ success: false }, '{"success":false}'],
  ])(
    "that refuses the only product that it was sent is about that one: %j",
    async (body, message) => {
      const svc = await service(json(200, JSON.stringify(body)))
      expect(await clientOf(svc.url).pushProducts(['{"id":"p1"}'])).toEqual([
        { id: "p1", code: null, message },
      ])
    },
  )

  it("that names failures by ids that nobody sent may have taken the others, and is tried again", async () => {
    const body = { results: [{ id: "svc_1", status: "error", message: "no image" }] }
    const svc = await service(json(200, body))
    const products = ['{"id":"p1"}', '{"id":"p2"}']
    await expect(clientOf(svc.url).pushProducts(products)).rejects.toMatchObject({
      code: "svc_unreadable",
      failure: "retry",
      mayHaveBeenCarriedOut: true,
      excerpt: JSON.stringify(body),
    })
  })
})

describe("a service that is down, slow or broken is tried again, and never harms the store", () => {
  const quick: CallLimits = { timeoutMs: 150 }
  /** A byte at a time. */
  function drip(socket: Socket, begun: string) {
    socket.write(begun)
    const dripping = setInterval(() => socket.write("a"), 20)
    socket.on("close", () => clearInterval(dripping))
  }

  it.each(["http://127.0.0.1:9", "http://nobody.invalid"])("nobody is at %s", async (url) => {
    expect(await failureOf(url)).toMatchObject({
      code: "svc_unreachable",
      failure: "retry",
      status: null,
    })
  })

  it("its name leads into the store's own network, unless that is allowed", async () => {
    const svc = await service(json(200, {}))
    const baseUrl = svc.url.replace("127.0.0.1", "localhost")
    const failed = new SvcClient({ baseUrl, apiToken: TOKEN })
    await expect(failed.pushProducts([])).rejects.toMatchObject({
      code: "svc_unreachable",
      failure: "retry",
      message: expect.stringContaining("private network"),
    })
    expect(svc.received).toEqual([])
    const allowed = new SvcClient({ baseUrl, apiToken: TOKEN, allowInsecure: true })
    await expect(allowed.pushProducts([])).resolves.toEqual([])
    for (const client of [failed, allowed]) client.close()
  })

  it("it says how long it keeps a connection that nothing is asked by: we close it before", async () => {
    let ended: Promise<unknown> = Promise.resolve()
    const url = await socketServer((socket) => {
      ended = once(socket, "end", { signal: AbortSignal.timeout(20_000) })
      socket.write("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\n{}")
    })
    await expect(clientOf(url).pushProducts([])).resolves.toEqual([])
    await ended
  })

  it.each<[string, (socket: Socket) => void]>([
    ["never answers", () => undefined],
    ["drips its headers", (socket) => drip(socket, "HTTP/1.1 200 OK\r\nX-Slow: ")],
    ["drips its answer", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n")],
  ])("it %s", async (_what, answer) => {
    const url = await socketServer(answer)
    expect(await failureOf(url, quick)).toMatchObject({ code: "svc_timeout", failure: "retry" })
  })

  it.each<[string, (socket: Socket) => void]>([
    ["never answers", () => undefined],
    ["closes", (socket) => socket.end()],
  ])("it %s while this process stands still, and nothing is said of it", async (_what, answer) => {
    const url = await socketServer((socket) => {
      // Nothing of this process runs meanwhile, as where it was stopped.
      const until = Date.now() + 3_000
      while (Date.now() < until);
      answer(socket)
    })
    expect(await failureOf(url, { timeoutMs: 1_000 })).toMatchObject({ stoodStill: true })
    expect(await failureOf("http://127.0.0.1:9")).toMatchObject({ stoodStill: false })
  })

  it("the caller has no more time than its signal gives", async () => {
    const svc = await service(() => undefined)
    const signal = AbortSignal.timeout(100)
    expect(await failureOf(svc.url, { signal })).toMatchObject({
      code: "svc_timeout",
      failure: "retry",
    })
    // Nothing is sent once the time is up. (Asked of another server: the first may still be reading.)
    const other = await service(json(200, { price: 1 }))
    expect(await failureOf(other.url, { signal })).toMatchObject({ code: "svc_timeout" })
    expect(other.received).toEqual([])
  })

  it.each(
    Object.entries<(socket: Socket) => void>({
      "closes without an answer": (socket) => socket.end(),
      "resets the connection": (socket) => socket.resetAndDestroy(),
      "answers garbage": (socket) => socket.end("\u0000\u0001 hello, this is no HTTP\r\n\r\n"),
      "sends half the body it announced": (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"price":1}'),
      "breaks off a chunked body": (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"pri\r\n'),
      "sends broken gzip": (socket) =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
      "sends headers without end": (socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(100_000)}\r\n\r\n{}`),
    }),
  )("it %s", async (_what, answer) => {
    expect(await failureOf(await socketServer(answer))).toMatchObject({
      code: "svc_unreachable",
      failure: "retry",
    })
  })

  it("its answer is too large, said or unsaid, plain or blown up from a small one", async () => {
    const huge = Buffer.alloc(9 * 1024 * 1024, 0x20)
    const answers: RequestListener[] = [
      (_req, res) => res.writeHead(200, { "content-length": huge.length }).end(huge),
      (_req, res) => {
        res.write(huge)
        res.end()
      },
      (_req, res) => res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(huge)),
    ]
    for (const answer of answers) {
      const svc = await service(answer)
      expect(await failureOf(svc.url)).toMatchObject({
        code: "svc_unreachable",
        failure: "retry",
        message:
          "The service's answer broke off, or is too large, when we tried to look up a campaign price.",
      })
    }
  })

  it("a proxy of the environment is not asked to carry the token", async () => {
    const proxy = await service(json(200, { price: 1 }))
    const svc = await service(json(200, { price: 2 }))
    const before = { ...process.env }
    Object.assign(process.env, {
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      NO_PROXY: "",
      no_proxy: "",
    })
    try {
      const price = await clientOf(svc.url).getCampaignProductPrice("c1", { productId: "p" })
      expect(price.amount).toBe(2)
      expect(proxy.received).toEqual([])
    } finally {
      for (const name of ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"]) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })
})

describe("a request that cannot be sent", () => {
  it("a batch larger than we send is refused as 413 is, so that it is halved (gap 22)", async () => {
    const svc = await service(json(200, {}))
    const large = JSON.stringify({ ...product, name: "x".repeat(17 * 1024 * 1024) })
    await expect(clientOf(svc.url).pushProducts([large])).rejects.toMatchObject({
      code: "svc_rejected",
      failure: "dead",
      status: 413,
    })
    expect(svc.received).toEqual([])
  })

  it("a token pasted with an invisible character works, and one with a line break adds no header", async () => {
    const svc = await service(json(200, { price: 1 }))
    for (const token of ["to\u200bken", "token\r\nX-Evil: 1"]) {
      await clientOf(svc.url, token).getCampaignProductPrice("c1", { productId: "p" })
    }
    const [pasted, injected] = svc.received
    expect(pasted?.headers.authorization).toBe("Token token")
    expect(injected?.headers).not.toHaveProperty("x-evil")
  })
})

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 20, 12, 0, 0)

  it.each<[unknown, number | null]>([
    ["0", 0],
    [" 120 ", 120_000],
    ["86400", 3_600_000],
    ["9".repeat(400), 3_600_000],
    ["Fri, 20 Nov 2026 12:01:30 GMT", 90_000],
    ["Friday, 20-Nov-26 12:01:30 GMT", 90_000],
    ["Fri Nov 20 12:01:30 2026", 90_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
    ["Sat, 20 Nov 2027 12:00:00 GMT", 3_600_000],
    ["", null],
    ["-5", null],
    ["1.5", null],
    ["1e3", null],
    ["120s", null],
    ["tomorrow 12", null],
    ["in 2099", null],
    [undefined, null],
    [120, null],
    [["120"], null],
  ])("%j is %j ms", (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms)
  })

  it("means the same in every time zone of a server", () => {
    const before = process.env.TZ
    try {
      for (const zone of ["UTC", "America/Los_Angeles", "Asia/Kolkata"]) {
        process.env.TZ = zone
        expect(readRetryAfter("Fri Nov 20 12:01:30 2026", now)).toBe(90_000)
      }
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })
})

describe("closing a client", () => {
  it("lets a call that is under way have its answer, and keeps no connection afterwards", async () => {
    let answer = () => {}
    let closed: Promise<unknown> = Promise.resolve()
    const { url, received } = await service((req, res) => {
      closed = once(req.socket, "close")
      answer = () => res.end("[]")
    })
    const client = new SvcClient({ baseUrl: url, apiToken: TOKEN, allowInsecure: true })
    const call = client.listWebhooks()
    while (received.length === 0) await new Promise(setImmediate)
    client.close()
    answer()
    await expect(call).resolves.toEqual({ subscribers: [], unreadable: [] })
    await closed
  })
})
