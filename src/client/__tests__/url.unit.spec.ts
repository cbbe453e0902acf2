import { checkServiceUrl, withoutLastSlashes } from ".."

const verdict = (url: string, allowInsecure = false): string => {
  const checked = checkServiceUrl(url, allowInsecure)
  return checked.ok ? checked.url : checked.problem.code
}

describe("the service's address before a token is sent to it", () => {
  it.each([
    ["https://svc.example.com", "https://svc.example.com"],
    ["https://svc.example.com///", "https://svc.example.com"],
    ["https://svc.example.com/a/../b/./c//", "https://svc.example.com/b/c"],
    ["https://SVC.Example.COM:443/Api", "https://svc.example.com/Api"],
    ["https://svc.example.com.", "https://svc.example.com"],
    ["https://svc.example.com:8443", "https://svc.example.com:8443"],
    ["https://sv\u00f8.example.com", "https://xn--sv-mka.example.com"],
    ["  https://svc.example.com\n", "https://svc.example.com"],
    ["https://8.8.8.8", "https://8.8.8.8"],
    ["https://100.128.0.1", "https://100.128.0.1"],
    ["https://[2606:4700::1111]", "https://[2606:4700::1111]"],
    ["https://10.example.com", "https://10.example.com"],
    ["https://fd00.example.com", "https://fd00.example.com"],
  ])("%j is taken and kept as %s", (given, kept) => {
    expect(verdict(given)).toBe(kept)
    // Saving what was kept changes nothing.
    expect(verdict(kept)).toBe(kept)
  })

  it.each([
    "",
    "svc.example.com",
    "//svc.example.com",
    "/api",
    "ftp://svc.example.com",
    "javascript:alert(1)",
    "https://",
    "https://user@svc.example.com",
    "https://user:secret@svc.example.com",
    "https://svc.example.com?token=x",
    "https://svc.example.com#x",
    "https://svc.example.com:99999",
    "https://[::1",
    "https://256.1.1.1",
  ])("%j is no address of a service", (given) => {
    expect(verdict(given)).toBe("invalid_url")
    expect(verdict(given, true)).toBe("invalid_url")
  })

  it("reads an address with many slashes at once", () => {
    // A pattern that looks for slashes at the end tries from each of them: minutes, while the whole store stands still.
    expect(withoutLastSlashes(`https://a.example${"/".repeat(99_000)}x`)).toHaveLength(99_018)
    expect(withoutLastSlashes(`https://a.example${"/".repeat(99_000)}`)).toBe("https://a.example")
  })

  it("says nothing of the password in a refused address", () => {
    expect(
      JSON.stringify(checkServiceUrl("https://user:hunter2@svc.example.com", false)),
    ).not.toContain("hunter2")
  })

  it("plain http is for development", () => {
    expect(verdict("http://svc.example.com")).toBe("insecure_url")
    expect(verdict("http://svc.example.com", true)).toBe("http://svc.example.com")
  })

  const neighbours = [
    "localhost",
    "localhost.",
    "api.localhost",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "\uff11\uff12\uff17.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:7f00:1::]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    // Not on the public internet, however it is wrapped.
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[::ffff:0:10.0.0.1]",
    "[100::1]",
    "192.0.2.1",
    "db",
    "svc.internal",
    "printer.local",
    "nas.home.arpa",
  ]
  it.each(neighbours)("%s is a neighbour of the store: only for development", (host) => {
    expect(verdict(`https://${host}`)).toBe("insecure_url")
    expect(verdict(`https://${host}:9400/api/`)).toBe("insecure_url")
    expect(verdict(`http://${host}`)).toBe("insecure_url")
    expect(verdict(`http://${host}:9400/`, true)).toMatch(/^http:\/\/.+:9400$/)
  })
})
