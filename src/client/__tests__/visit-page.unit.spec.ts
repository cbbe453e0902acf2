import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { visitPage } from ".."

describe("opening a storefront as a shopper would", () => {
  let server: Server
  let asked: (string | undefined)[]
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  beforeEach((done) => {
    asked = []
    server = createServer(({ headers: { cookie }, url }, res) => {
      asked.push(cookie)
      if (url === "/dk" && cookie === "_cache_id=abc; country=dk") res.end("A shop")
      else {
        // As Medusa's Next.js starter does, until its cookie comes back.
        res.writeHead(307, {
          location: "/dk",
          "set-cookie": ["_cache_id=abc; Path=/; Max-Age=86400", "country=dk; HttpOnly"],
        })
        res.end()
      }
    }).listen(0, "127.0.0.1", () => done())
  })
  afterEach((done) => void server.close(done))

  it("keeps the cookies that it is given on the way", async () => {
    expect(await visitPage(address(), true)).toEqual({ kind: "opened" })
    expect(asked).toEqual([undefined, "_cache_id=abc; country=dk"])
  })
})
