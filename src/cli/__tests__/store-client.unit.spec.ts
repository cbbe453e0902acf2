import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { createStoreClient } from "../store-client"

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

/** A store that begins its answer at once, and sends a line of it now and then. */
async function slowStore(lines: number, pauseMs: number): Promise<string> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/csv" })
    for (let line = 0; line < lines; line += 1) {
      response.write(`${line}\n`)
      await sleep(pauseMs, undefined, { ref: false })
    }
    response.end()
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function fileFrom(url: string, patienceMs: number): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await createStoreClient(url, "sk_key", patienceMs).download("/file")) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

describe("a file of the store", () => {
  it("may take longer than an answer, as long as it comes", async () => {
    expect(await fileFrom(await slowStore(10, 500), 4_000)).toBe("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")
  })

  it("is given up where nothing of it comes any more, and is not taken for the whole", async () => {
    await expect(fileFrom(await slowStore(2, 30_000), 300)).rejects.toMatchObject({
      code: "answer_cut_off",
      exit: 3,
    })
  })
})

describe("an answer that a command reads as a whole", () => {
  /** Whoever answers here never ends, and never stops for long either. */
  async function endlessStore(chunk: string, pauseMs: number, status = 200): Promise<string> {
    const server = createServer(async (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" })
      while (!response.destroyed) {
        if (!response.write(chunk)) await new Promise((done) => response.once("drain", done))
        await sleep(pauseMs, undefined, { ref: false })
      }
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it("is given up where it is larger than any answer of the store", async () => {
    const url = await endlessStore(" ".repeat(1024 * 1024), 0)
    await expect(createStoreClient(url, "sk_key").get("/")).rejects.toMatchObject({
      code: "answer_too_long",
      message: expect.stringContaining("16 MiB"),
      exit: 3,
    })
  })

  it("is given up where it comes drop by drop and does not end", async () => {
    const url = await endlessStore(" ", 20)
    await expect(createStoreClient(url, "sk_key", 100).get("/")).rejects.toMatchObject({
      code: "answer_too_long",
      message: expect.stringContaining("1 s"),
      exit: 3,
    })
  })

  it("is not waited for to learn why the store refused", async () => {
    const url = await endlessStore(" ", 20, 500)
    await expect(createStoreClient(url, "sk_key", 100).get("/")).rejects.toMatchObject({
      code: "http_500",
    })
  })
})

it("hangs up on an answer that it does not read", async () => {
  let hungUp = (_: string): void => undefined
  const closed = new Promise((resolve) => {
    hungUp = resolve
  })
  const server = createServer((_request, response) => {
    response.once("close", () => hungUp("hung up"))
    response.writeHead(401).write("This answer has no end.")
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(createStoreClient(url, "sk_key").get("/")).rejects.toMatchObject({
    code: "api_key_refused",
    exit: 3,
  })
  // A command ends once nothing is open any more.
  expect(await Promise.race([closed, sleep(60_000, "still open", { ref: false })])).toBe("hung up")
})
