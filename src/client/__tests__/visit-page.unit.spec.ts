import { createServer } from "node:http"
import { localServers } from "../../../integration-tests/setup/local-servers"
import { visitPage } from ".."

describe("opening a storefront as a shopper would", () => {
  const listening = localServers()

  it("keeps the cookies that it is given on the way", async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ headers: { cookie }, url }, res) => {
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
    })
    const address = await listening(server)
    expect(await visitPage(`${address}/`, true)).toEqual({ kind: "opened" })
    expect(asked).toEqual([undefined, "_cache_id=abc; country=dk"])
  })
})
