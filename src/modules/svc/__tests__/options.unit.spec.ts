import { randomBytes } from "node:crypto"
import { CODE_OPTIONS, readOptions, TEXT_OPTIONS } from "../options"
import { REFUSALS, type RefusalCode, refusalCode, SvcRefusal } from "../shared/refusal"

const read = (options: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}) =>
  readOptions(options, env)
const message = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  throw new Error("nothing was refused")
}
const declared = {
  name: "Denmark",
  pageUid: "page-dk",
  baseUrl: "https://svc.example.com",
  apiToken: "tok-SECRET-5f1c",
  salesChannelId: "sc_1",
  regionId: "reg_1",
  storefrontUrl: "https://shop.example.com",
}

describe("options", () => {
  it("need none: the store boots, over https alone, with nothing declared", () => {
    expect(readOptions(undefined, {})).toMatchObject({
      allowInsecureUrls: false,
      webhookToleranceSeconds: 300,
      webhookMaxBytes: 1_048_576,
      catalogRequestsPerSecond: 5,
      connections: [],
    })
  })

  it("come from the environment, and an option wins", () => {
    const env = {
      SVC_ENCRYPTION_KEYS: "env",
      SVC_ALLOW_INSECURE_URLS: "true",
      SVC_BACKEND_URL: "https://env.example.com",
      SVC_WEBHOOK_TOLERANCE_SECONDS: "60",
      SVC_CATALOG_REQUESTS_PER_SECOND: "10",
    }
    expect(read({}, env)).toMatchObject({
      encryptionKeys: "env",
      allowInsecureUrls: true,
      backendUrl: "https://env.example.com",
      webhookToleranceSeconds: 60,
      catalogRequestsPerSecond: 10,
    })
    const options = {
      encryptionKeys: "option",
      allowInsecureUrls: false,
      backendUrl: "https://option.example.com",
      webhookToleranceSeconds: 0,
      catalogRequestsPerSecond: 20,
    }
    expect(read(options, env)).toMatchObject(options)
  })

  it("are twenty at most: an option is something that a merchant can decide", () => {
    expect(Object.keys({ ...TEXT_OPTIONS, ...CODE_OPTIONS }).length).toBeLessThanOrEqual(20)
  })

  it.each(Object.keys(TEXT_OPTIONS))(
    "%s can be said in the environment, by its own name",
    (name) => {
      const variable = `SVC_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`
      // None of them takes this, and each says so.
      const wrong =
        name === "encryptionKeys" || name === "catalogDisabledStatus" || name === "excludeEmails"
      if (wrong) expect(JSON.stringify(read({}, { [variable]: "\u0001" }))).toContain("\\u0001")
      else expect(message(() => read({}, { [variable]: "\u0001" }))).toContain(name)
    },
  )

  it("say yes or no in few spellings, and are not guessed from others", () => {
    const allowed = (value: string) =>
      read({}, { SVC_ALLOW_INSECURE_URLS: value }).allowInsecureUrls
    expect(["true", "1", "false", "0", ""].map(allowed)).toEqual([true, true, false, false, false])
    for (const value of ["yes", "TRUE "]) {
      expect(message(() => allowed(value))).toContain("allowInsecureUrls")
    }
  })

  it.each([
    ["an empty variable", {}, { SVC_WEBHOOK_TOLERANCE_SECONDS: "" }],
    ["an option of an unset variable", { webhookToleranceSeconds: undefined }, {}],
  ])("the age of a delivery stays checked with %s (gap 7)", (_what, options, env) => {
    expect(read(options, env).webhookToleranceSeconds).toBe(300)
  })

  it.each<[string, unknown]>([
    ["null", null],
    ["empty text", ""],
    ["spaces", "  "],
    ["a list", []],
    ["false", false],
    ["less than nothing", -1],
    ["no number", Number.NaN],
    ["no end", Number.POSITIVE_INFINITY],
    ["hexadecimal", "0x10"],
  ])("the check of a delivery's age is never turned off by mistake: %s", (_what, value) => {
    expect(message(() => read({ webhookToleranceSeconds: value }))).toContain(
      "webhookToleranceSeconds",
    )
  })

  it.each([
    ["backendUrl", "localhost:9000"],
    ["backendUrl", "ftp://shop.example.com"],
    ["backendUrl", "https://shop.example.com/?utm_source=svc"],
    ["webhookMaxBytes", 10],
    ["catalogRequestsPerSecond", 0],
    ["webhookRetentionDays", 1.5],
    ["webhookRetentionDays", 0],
    ["encryptionKeys", 7],
    ["connections", "none"],
  ])("%s: %j stops the boot with its name", (name, value) => {
    expect(message(() => read({ [name]: value }))).toContain(name)
  })

  it("a misspelt option is named, not ignored", () => {
    expect(message(() => read({ encryptionKey: "x" }))).toContain("encryptionKey")
  })

  it("of Medusa's own beside ours are no mistake", () => {
    expect(() => read({ database: { clientUrl: "postgres://" } })).not.toThrow()
  })
})

describe("connections declared in code", () => {
  it("have names of their own, because the address of a webhook derives from the name", () => {
    const connections = [declared, { ...declared, pageUid: "page-de" }]
    expect(message(() => read({ connections }))).toContain(
      "connections.1.name: another declared connection has this name",
    )
  })

  it("have the token of a secret's file, which ends with a line end, as a call sends it", () => {
    const connections = [{ ...declared, apiToken: ` ${declared.apiToken}\r\n` }]
    expect(read({ connections }).connections[0]?.apiToken).toBe(declared.apiToken)
  })

  it("include VAT unless said otherwise (gap 34)", () => {
    expect(read({ connections: [declared] }).connections).toEqual([
      { ...declared, pricesIncludeVat: true },
    ])
  })

  it("have the address that the admin would keep", () => {
    const [connection] = read({
      connections: [{ ...declared, baseUrl: "https://SVC.example.com/api/" }],
    }).connections
    expect(connection?.baseUrl).toBe("https://svc.example.com/api")
  })

  it.each(["http://svc.example.com", "https://127.0.0.1:9400", "https://[::ffff:10.0.0.1]"])(
    "never send a token to %s, except in development",
    (baseUrl) => {
      const connections = [{ ...declared, baseUrl }]
      expect(message(() => read({ connections }))).toContain("connections.0.baseUrl")
      expect(read({ connections, allowInsecureUrls: true }).connections).toHaveLength(1)
    },
  )

  it.each([
    ["pageUid", "../page"],
    ["apiToken", ""],
    ["apiToken", " \n"],
    ["apiToken", "tok\n en"],
    ["apiToken", "tok-\u00f8"],
    ["baseUrl", "svc.example.com"],
    ["storefrontUrl", "javascript:alert(1)"],
    ["storefrontUrl", "shop"],
    ["storefrontUrl", "https://shop.example.com/da?currency=dkk"],
    ["salesChannelId", ""],
    ["surprise", "x"],
  ])("with %s: %j stop the boot with its place", (name, value) => {
    expect(
      message(() => read({ connections: [declared, { ...declared, [name]: value }] })),
    ).toMatch(new RegExp(`connections\\.1.*${name}`))
  })

  it("are one per page and address, and per page and sales channel: whose token would be sent, and which would sell?", () => {
    const baseUrl = "https://staging.example.com"
    const again = { ...declared, name: "Again", apiToken: "other" }
    for (const twin of [again, { ...again, baseUrl }, { ...again, salesChannelId: "sc_2" }]) {
      expect(message(() => read({ connections: [declared, twin] }))).toContain("connections.1")
    }
    for (const other of [
      { ...again, pageUid: "page-de" },
      { ...again, baseUrl, salesChannelId: "sc_2" },
    ]) {
      expect(read({ connections: [declared, other] }).connections).toHaveLength(2)
    }
  })

  it("are refused without a word of their secrets", () => {
    const keys = `k1:${randomBytes(32).toString("base64")}`
    const said = [
      message(() =>
        read({ encryptionKeys: keys, backendUrl: "x", connections: [{ ...declared, extra: 1 }] }),
      ),
      message(() => read({ encryptionKeys: [keys], connections: [declared.apiToken] })),
      message(() =>
        read({ connections: [{ ...declared, pageUid: declared.apiToken.concat("/..") }] }),
      ),
      message(() =>
        read({
          connections: [{ ...declared, baseUrl: `https://u:${declared.apiToken}@svc.example.com` }],
        }),
      ),
    ].join("\n")
    expect(said).not.toContain(declared.apiToken)
    expect(said).not.toContain(keys.slice(3))
    expect(said).toMatch(/docs\/options\.md/)
  })
})

describe("refusals", () => {
  it("keep their code wherever they are read again", () => {
    for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
      const refusal = new SvcRefusal(code, "Because.")
      expect(refusalCode(refusal)).toBe(code)
      expect(refusal).toMatchObject({ type: REFUSALS[code].type, message: "Because." })
      // A workflow engine may hand an error on as a copy.
      expect(refusalCode(JSON.parse(JSON.stringify({ ...refusal })))).toBe(code)
      expect(REFUSALS[code].status).toBeGreaterThanOrEqual(400)
      expect(REFUSALS[code].status).toBeLessThan(600)
    }
  })

  it.each([
    null,
    undefined,
    "not_found",
    404,
    { code: 404 },
    { code: "ECONNRESET" },
    { code: "toString" },
    new Error("not_found"),
  ])("are told from other errors: %p", (error) => {
    expect(refusalCode(error)).toBeNull()
  })
})
