import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { localServers } from "../../../integration-tests/setup/local-servers"
import { createStoreClient } from "../store-client"

const listening = localServers()

it("takes no file that breaks off for the whole", async () => {
  const url = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" })
      response.write("0\n", () => response.destroy())
    }),
  )
  const read = async () => {
    for await (const _ of await createStoreClient(url, "sk_key").download("/file"));
  }
  await expect(read()).rejects.toMatchObject({ code: "answer_cut_off", exit: 3 })
})

it("gives up an answer that does not end", async () => {
  const url = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write(" ")
    }),
  )
  await expect(createStoreClient(url, "sk_key", 3_000).get("/")).rejects.toMatchObject({
    code: "answer_cut_off",
    exit: 3,
  })
})

it("says of a store that works on for longer than it waits that it does", async () => {
  const url = await listening(createServer(() => undefined))
  await expect(createStoreClient(url, "sk_key", 1_000).get("/")).rejects.toMatchObject({
    code: "answer_late",
    exit: 3,
  })
})

it("tells a gateway before a store that is away from a store that refuses", async () => {
  let body = "<html>Bad gateway</html>"
  const url = await listening(
    createServer((_request, response) => {
      response.writeHead(body.startsWith("<") ? 502 : 503).end(body)
    }),
  )
  const { get } = createStoreClient(url, "sk_key")
  await expect(get("/")).rejects.toMatchObject({ code: "store_unreachable", exit: 3 })
  body = JSON.stringify({ code: "encryption_key_missing", message: "No key." })
  await expect(get("/")).rejects.toMatchObject({ code: "encryption_key_missing", exit: 1 })
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
  const url = await listening(server)
  await expect(createStoreClient(url, "sk_key").get("/")).rejects.toMatchObject({
    code: "api_key_refused",
    exit: 3,
  })
  // A command ends once nothing is open any more.
  expect(await Promise.race([closed, sleep(60_000, "still open", { ref: false })])).toBe("hung up")
})
