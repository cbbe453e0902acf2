/** Input that nobody sends on purpose: it is refused or kept, and never costs the sandbox its state or its life. */
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../index"
import { Box, SIMPLE, TOKEN } from "./harness"

const box = Box.forAll()
const push = (product: object) => box.call("POST", "/products", { products: [product] })

test("a field that is called as something every object has is a field like any other", async () => {
  await push(SIMPLE)
  const named = JSON.parse('{"constructor": "x", "toString": {"deep": 1}}')
  expect((await push({ ...SIMPLE, ...named })).status).toBe(200)
  // What is shown and saved can be copied: a function among the differences could not.
  expect((await box.call("GET", "/_sandbox/state")).status).toBe(200)
  expect((await box.call("POST", "/_sandbox/snapshots", { name: "kept" })).status).toBeLessThan(300)
})

test("a state that cannot be written ends no running sandbox", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "sandbox-")), "state.json")
  const other = await startSandbox({
    port: 0,
    file,
    pages: [{ uid: "demo-page", api_token: TOKEN }],
  })
  const send = (product: object) =>
    fetch(`${other.url}/products`, {
      method: "POST",
      headers: { authorization: `Token ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ products: [product] }),
    })
  await send(SIMPLE)
  await send({ ...SIMPLE, ...JSON.parse('{"constructor": "x"}') })
  await other.close()
  expect(await readFile(file, "utf8")).toContain(SIMPLE.id)
})

test("a clock that would run past the last date is refused, and goes on", async () => {
  expect((await box.call("POST", "/_sandbox/clock", { advance: 1e17 })).status).toBe(400)
  expect((await box.call("GET", "/_sandbox/clock")).status).toBe(200)
})

test("a token that was sent without its scheme is in no log", async () => {
  await box.call("GET", "/api/v1/webhooks", undefined, { authorization: TOKEN })
  const entries = JSON.stringify(await box.journal())
  expect(entries).not.toContain(TOKEN)
  expect(entries).toContain('"***"')
})

test("an address with two slashes, as a base address that ends with one makes it, is in the journal", async () => {
  const answer = await box.call("POST", "//products", { products: [SIMPLE] })
  expect(answer.status).toBe(404)
  expect(await box.journal()).toMatchObject([{ path: "//products", status: 404 }])
})

test("a query for a header finds only what was sent", async () => {
  await push(SIMPLE)
  const found = await box.control<{ requests?: unknown[]; count?: number }>(
    "GET",
    `/journal?${new URLSearchParams({ q: "request.headers.constructor:*" })}`,
  )
  expect(JSON.stringify(found)).not.toContain(SIMPLE.id)
})

test("a file that cannot be read leaves no sandbox behind at its port", async () => {
  const free = await startSandbox({ port: 0 })
  const { port } = free
  await free.close()
  const init = JSON.parse('{"surprise": 1}')
  await expect(startSandbox({ port, init })).rejects.toThrow()
  const again = await startSandbox({ port })
  expect(again.port).toBe(port)
  await again.close()
})
