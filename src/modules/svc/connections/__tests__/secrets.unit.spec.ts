import { createHash, randomBytes } from "node:crypto"
import { inspect } from "node:util"
import { refusalCode } from "../../shared/refusal"
import { Keyring, MAKE_KEY_COMMAND, type SecretPlace } from "../secrets"

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`
const material = (entry: string) => entry.slice(entry.indexOf(":") + 1)
const PLACE: SecretPlace = { table: "svc_connection", id: "svccon_1", column: "api_token" }
const TOKEN = "tok-æøå-🔑-0123456789"

const refusalOf = (work: () => unknown): Error => {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("nothing was refused")
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

describe("a secret in the database", () => {
  const first = key("k1")
  const ring = new Keyring(first)

  it.each([
    ["a token", TOKEN],
    ["nothing", ""],
    ["a long text", "x".repeat(100_000)],
  ])("comes back as it was: %s", (_what, secret) => {
    expect(ring.decrypt(ring.encrypt(secret, PLACE), PLACE)).toBe(secret)
  })

  it("never looks the same twice, and never holds its text", () => {
    const values = Array.from({ length: 200 }, () => ring.encrypt(TOKEN, PLACE))
    expect(new Set(values).size).toBe(200)
    const plain = [TOKEN, Buffer.from(TOKEN).toString("base64url"), material(first)]
    for (const value of values) for (const text of plain) expect(value).not.toContain(text)
  })

  it("is refused when any one character of it was changed, taken out or put in", () => {
    const value = ring.encrypt(TOKEN, PLACE)
    const changed: string[] = []
    for (let at = 0; at < value.length; at++) {
      for (const char of `${BASE64URL}.=+/ `) {
        changed.push(value.slice(0, at) + char + value.slice(at + 1))
        changed.push(value.slice(0, at) + char + value.slice(at))
      }
      changed.push(value.slice(0, at) + value.slice(at + 1))
    }
    changed.push(`${value}=`, `${value}.`, `${value}.AA`, ` ${value}`, value.toLowerCase(), "")
    const accepted = changed.filter((candidate) => {
      if (candidate === value) return false
      try {
        ring.decrypt(candidate, PLACE)
        return true
      } catch (error) {
        return refusalCode(error) !== "secret_unreadable"
      }
    })
    expect(accepted).toEqual([])
  })

  it.each([
    ["table", { ...PLACE, table: "svc_webhook" }],
    ["row", { ...PLACE, id: "svccon_2" }],
    ["column", { ...PLACE, column: "signature_key" }],
  ])("is refused in another %s", (_what, place) => {
    const value = ring.encrypt(TOKEN, PLACE)
    expect(refusalCode(refusalOf(() => ring.decrypt(value, place)))).toBe("secret_unreadable")
  })
})

describe("keys", () => {
  it("are rotated by putting a new one in front: old values stay readable, new ones use the new", () => {
    const [old, fresh] = [key("old"), key("new")]
    const before = new Keyring(old).encrypt(TOKEN, PLACE)
    const both = new Keyring(` ${fresh} , ${old} ,`)
    expect(both.decrypt(before, PLACE)).toBe(TOKEN)
    const after = both.encrypt(TOKEN, PLACE)
    expect(new Keyring(fresh).decrypt(after, PLACE)).toBe(TOKEN)
    expect(refusalCode(refusalOf(() => new Keyring(old).decrypt(after, PLACE)))).toBe(
      "secret_unreadable",
    )
  })

  it("of the same name but other bytes do not decrypt", () => {
    const value = new Keyring(key("k1")).encrypt(TOKEN, PLACE)
    expect(refusalCode(refusalOf(() => new Keyring(key("k1")).decrypt(value, PLACE)))).toBe(
      "secret_unreadable",
    )
  })

  it("may be missing: the store boots, and saving a secret says how to make one", () => {
    for (const none of [undefined, "", " , "]) {
      const ring = new Keyring(none)
      expect(ring.configured).toBe(false)
      const refusal = refusalOf(() => ring.encrypt(TOKEN, PLACE))
      expect(refusalCode(refusal)).toBe("encryption_key_missing")
      expect(refusal.message).toContain(MAKE_KEY_COMMAND)
      expect(refusal.message).not.toContain(TOKEN)
    }
  })

  const good = key("k1")
  it.each([
    ["no id", material(good)],
    ["too short", "k1:c2hvcnQ="],
    ["hexadecimal", `k1:${randomBytes(32).toString("hex")}`],
    ["an id with a dot", `k.1:${material(good)}`],
    ["the same id twice", `${good},${key("k1")}`],
    ["one good, one bad", `${good},k2:c2hvcnQ=`],
    ["something after the key", `${good}AAAA`],
    ["an odd character in the key", `${good.slice(0, 10)}*${good.slice(10)}`],
  ])("that are not well written stop the boot without being shown: %s", (_what, keys) => {
    const error = refusalOf(() => new Keyring(keys))
    expect(error.message).toContain("SVC_ENCRYPTION_KEYS")
    for (const entry of keys.split(",")) {
      const secret = material(entry)
      if (secret.length >= 6) expect(error.message).not.toContain(secret)
    }
  })
})

describe("what people and logs see", () => {
  it("a keyring that is printed shows no key", () => {
    const entry = key("k1")
    const ring = new Keyring(entry)
    const bytes = Buffer.from(material(entry), "base64")
    for (const shown of [inspect(ring, { depth: 9, showHidden: true }), JSON.stringify(ring)]) {
      expect(shown).not.toContain(material(entry))
      expect(shown).not.toContain(bytes.toString("hex").slice(0, 8))
      expect(shown).not.toContain([...bytes.subarray(0, 4)].map((b) => b.toString(16)).join(" "))
    }
  })

  it("names the missing key and says what to do", () => {
    const value = new Keyring(key("k-2024")).encrypt(TOKEN, PLACE)
    expect(refusalOf(() => new Keyring(key("k1")).decrypt(value, PLACE)).message).toMatch(
      /"k-2024".*enter the secret again/,
    )
  })

  it("shows nothing of a secret that lies in the column as plain text", () => {
    // A token with dots, as many have, would otherwise be quoted as if its second part were a key's id.
    for (const plain of [
      "eyJhbGciOi.eyJwYWdlIjoi.c2lnbmF0dXJl",
      "v1.not-a-key-id-of-ours!.x",
      "abc",
    ]) {
      const { message } = refusalOf(() => new Keyring(key("k1")).decrypt(plain, PLACE))
      for (const part of plain.split(".")) {
        if (part.length > 2) expect(message).not.toContain(part)
      }
    }
  })

  it("a fingerprint tells two secrets apart, and nobody without the encryption key can make one", () => {
    const keyring = new Keyring(key("k1"))
    expect(keyring.fingerprint(TOKEN)).toMatch(/^[0-9a-f]{12}$/)
    expect(keyring.fingerprint(TOKEN)).toBe(keyring.fingerprint(TOKEN))
    expect(keyring.fingerprint(TOKEN)).not.toBe(keyring.fingerprint(`${TOKEN} `))
    const unkeyed = createHash("sha256").update(TOKEN).digest("hex").slice(0, 12)
    const others = [new Keyring(key("k1")), new Keyring(undefined), new Keyring(undefined)]
    const made = [keyring, ...others].map((other) => other.fingerprint(TOKEN))
    expect(new Set([...made, unkeyed]).size).toBe(5)
  })
})
