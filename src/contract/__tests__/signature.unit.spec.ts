import { readFileSync } from "node:fs"
import { join } from "node:path"
import { signDelivery, verifyDelivery } from ".."

type Vector = {
  name: string
  key: string
  timestamp: string
  body_base64: string
  signature: string
}

/** Made by a signer of a third kind (openssl), and checked against the sandbox as well. */
const vectors: Vector[] = JSON.parse(
  readFileSync(join(__dirname, "../../testing/vectors.json"), "utf8"),
)
const bodyOf = (vector: Vector) => Buffer.from(vector.body_base64, "base64")
const verify = (vector: Vector, changes: Partial<Parameters<typeof verifyDelivery>[0]> = {}) =>
  verifyDelivery({
    keys: [vector.key],
    timestamp: vector.timestamp,
    signature: vector.signature,
    rawBody: bodyOf(vector),
    now: Number(vector.timestamp),
    toleranceMs: 300_000,
    ...changes,
  })

const [first] = vectors
if (!first) throw new Error("There are no vectors.")

describe("the signature of a delivery (interface §5 rule 3)", () => {
  it("agrees with every golden vector, both ways", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(80)
    for (const vector of vectors) {
      const { name, key, timestamp, signature } = vector
      expect([name, signDelivery(key, timestamp, bodyOf(vector))]).toEqual([name, signature])
      expect([name, verify(vector).ok]).toEqual([name, true])
    }
  })

  it("refuses every vector with one bit of the body changed, a byte more, another key or another time", () => {
    const mismatch = { ok: false, reason: "mismatch" }
    let changed = 0
    for (const vector of vectors) {
      const body = bodyOf(vector)
      // One bit of each byte; of a long body, of its first and last 32.
      const places = [...body.keys()].filter((at) => at < 32 || at >= body.length - 32)
      for (const at of places) {
        const rawBody = Buffer.from(body)
        rawBody.writeUInt8(body.readUInt8(at) ^ (1 << (at % 8)), at)
        expect(verify(vector, { rawBody })).toEqual(mismatch)
        changed += 1
      }
      const refused = [
        verify(vector, { rawBody: Buffer.concat([body, Buffer.from([0])]) }),
        verify(vector, { keys: [`${vector.key}x`] }),
        verify(vector, {
          timestamp: String(Number(vector.timestamp) === 0 ? 1 : Number(vector.timestamp) - 1),
        }),
      ]
      expect(refused).toEqual(Array(3).fill(mismatch))
    }
    expect(changed).toBeGreaterThan(1_000)
  })

  it("refuses another spelling of the right signature, and does not throw", () => {
    const { signature } = first
    const spellings = [
      signature.replace(/=$/, ""),
      `${signature}=`,
      ` ${signature}`,
      `${signature}, ${signature}`,
      `${signature} x`,
      ...["A", "AA", "AAA", "AAAA", "A".repeat(44)].map((before) => before + signature),
      `${signature}\n`,
      signature.replaceAll("+", "-").replaceAll("/", "_").replace(/=$/, ""),
      // The last letter has two unused bits; Node's decoder ignores them.
      signature.replace(/(.)=$/, (_, last: string) => `${sibling(last)}=`),
      Buffer.from(signature, "base64").toString("hex"),
      "é".repeat(44),
      "",
    ]
    for (const spelling of spellings) {
      expect([spelling, verify(first, { signature: spelling }).ok]).toEqual([spelling, false])
    }
  })

  it("takes a timestamp in one spelling only", () => {
    const { timestamp } = first
    for (const spelling of [
      `0${timestamp}`,
      `+${timestamp}`,
      `${timestamp}.0`,
      "1e12",
      "-1",
      "٣",
    ]) {
      expect(verify(first, { timestamp: spelling })).toEqual({ ok: false, reason: "malformed" })
    }
    expect(verify(first, { timestamp: undefined })).toEqual({ ok: false, reason: "missing" })
  })

  it("minds the clock both ways, exactly at the tolerance, and not at all when told so (gap 7)", () => {
    const at = Number(first.timestamp)
    const reasons = [-300_001, -300_000, 0, 300_000, 300_001].map((off) => {
      const result = verify(first, { now: at + off })
      return result.ok ? "ok" : result.reason
    })
    expect(reasons).toEqual(["expired", "ok", "ok", "ok", "expired"])
    expect(verify(first, { now: 0, toleranceMs: 0 }).ok).toBe(true)
  })

  it("takes a key as it was pasted, with blanks around it (gap 10)", () => {
    const { key, timestamp, signature } = first
    expect(signDelivery(` ${key}\n`, timestamp, bodyOf(first))).toBe(signature)
    expect(verify(first, { keys: [`\t${key} `] }).ok).toBe(true)
  })

  it("says which of several keys it was, and nothing of the time where none was", () => {
    expect(verify(first, { keys: ["a", first.key, "b"] })).toMatchObject({ ok: true, keyIndex: 1 })
    const twice = [first.key, first.key, first.key]
    expect(verify(first, { keys: twice })).toMatchObject({ ok: true, keyIndex: 0 })
    expect(verify(first, { keys: [], now: 0 })).toEqual({ ok: false, reason: "mismatch" })
    expect(verify(first, { keys: ["a"], now: 0 })).toEqual({ ok: false, reason: "mismatch" })
  })
})

/** A base64 letter that stands for the same four upper bits. */
function sibling(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  return letters[letters.indexOf(letter) ^ 1] ?? letter
}
