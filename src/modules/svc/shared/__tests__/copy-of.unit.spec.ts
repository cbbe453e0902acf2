import { copyIsQuiet, copyOf } from "../copy-of"

describe("a store whose data names the address of a store", () => {
  const of = (store_host: string | null, backendUrl?: string) => copyOf({ store_host }, backendUrl)

  it("is that store where its own address is the same one", () => {
    expect(of("shop.example", "https://shop.example/backend")).toBeNull()
  })

  it("is a copy at another address, and may be one where it was told none", () => {
    expect(of("shop.example", "https://staging.example")).toBe("shop.example")
    expect(of("shop.example")).toBe("shop.example")
    expect(copyIsQuiet("shop.example", undefined).message).toContain("SVC_BACKEND_URL")
  })

  it("is nobody's copy where it never had an address, or had a private one", () => {
    expect(of(null)).toBeNull()
    expect(of(null, "https://shop.example")).toBeNull()
    expect(of("127.0.0.1:9000")).toBeNull()
    expect(of("127.0.0.1:9000", "http://127.0.0.1:9001")).toBeNull()
  })
})
