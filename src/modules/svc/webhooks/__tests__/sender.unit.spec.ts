import { connectionNamed, networkOf } from "../sender"

describe("the sender of a request", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::9", "2001:db8:1:3::/64"],
  ])("is counted by its network: %s", (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each(["", "x".repeat(15_000), "192.0.2.7:port", "192.0.2.7:80x", "[192.0.2.7", "1.2.3.4\n5"])(
    "is one among all that can be no address: %#",
    (address) => {
      expect(networkOf(address)).toBe("odd")
    },
  )

  it("names a connection only where it can be one, so that strangers fill no memory with names", () => {
    expect(connectionNamed("svccon_01K9ABCDEF")).toBe("svccon_01K9ABCDEF")
    expect(connectionNamed("a".repeat(60))).toBe("a".repeat(60))
    expect(connectionNamed("a".repeat(61))).toBe("odd")
    for (const odd of ["", "a b", "a/b", "a\n", "é"]) expect(connectionNamed(odd)).toBe("odd")
  })
})
