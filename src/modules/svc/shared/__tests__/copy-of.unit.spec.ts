import { copyIsQuiet, copyOf, storeHostOf } from "../copy-of"
import { reasonFor, reasonOf } from "../reason"

describe("a store whose data names the address of a store", () => {
  const of = (store_host: string | null, backendUrl?: string) => copyOf({ store_host }, backendUrl)

  it("is that store where its own address is the same one", () => {
    expect(of("shop.example", "https://shop.example/backend")).toBeNull()
  })

  it("is a copy at another address, and may be one where it was told none", () => {
    expect(of("shop.example", "https://staging.example")).toBe("shop.example")
    expect(of("shop.example")).toBe("shop.example")
  })

  it("says which store it is quiet for, and what to do, in a reason that every language has", () => {
    const quiet = (backendUrl?: string) => reasonOf(copyIsQuiet("shop.example", backendUrl))
    const params = { original: "shop.example" }
    expect(quiet()).toEqual(reasonFor("store_address_missing", params))
    expect(quiet("https://staging.example")).toEqual(reasonFor("copy_of_another_store", params))
  })

  it("is nobody's copy where it never had a public address", () => {
    expect(of(null)).toBeNull()
    expect(of(null, "https://shop.example")).toBeNull()
    for (const address of ["http://127.0.0.1:9000", "http://medusa:9000", undefined, "shop"])
      expect([address, storeHostOf(address)]).toEqual([address, null])
    expect(storeHostOf("https://shop.example:8443/backend")).toBe("shop.example:8443")
  })
})
