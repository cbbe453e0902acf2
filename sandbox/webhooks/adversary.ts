/**
 * What somebody can post to a receiver who knows its address, and not the signature key
 * (interface §5 rule 3): signatures that are made up, missing, of another key or of another time, and
 * bodies that were changed on the way. A receiver answers each with 401.
 *
 * The fault plans let the sandbox's deliveries be sent so, and the referee judges receivers by the
 * same list.
 */

import { createHash } from "node:crypto"
import type { Adversary } from "../simulation/faults"
import { type KeyEncoding, sign } from "./signing"

/** What the service itself would send. */
type Genuine = { key: string; encoding?: KeyEncoding; timestamp: string; body: string }
/** What is sent instead; a header that is null is left out. */
type Disguised = { timestamp: string | null; signature: string | null; body: string }

type Attack = { name: string; disguise(genuine: Genuine): Disguised }

const DAY_MS = 86_400_000

export const ATTACKS: Record<Adversary, readonly [Attack, ...Attack[]]> = {
  forged_signature: [
    withSignature("A made-up signature", ({ timestamp, body }) =>
      createHash("sha256").update(`${timestamp}.${body}`).digest("base64"),
    ),
    withSignature("No signature at all", () => "x"),
    withSignature("A signature of other letters", () => "\u00e6".repeat(20)),
  ],
  missing_signature: [
    withSignature("A delivery without X-Svc-Signature", () => null),
    {
      name: "A delivery without X-Svc-Timestamp",
      disguise: (genuine) => ({ ...signed(genuine), timestamp: null }),
    },
  ],
  other_key: [
    withSignature("Another key", (genuine) =>
      signatureOf({ ...genuine, key: "the key of somebody else", encoding: "utf8" }),
    ),
    withSignature("An empty key", (genuine) => signatureOf({ ...genuine, key: "" })),
  ],
  stale_signature: [signedAt("Signed a day ago", -DAY_MS), signedAt("Signed for tomorrow", DAY_MS)],
  tampered_body: [
    withBody("A body with another value", withOtherValue),
    withBody("A body with one more space", (body) => `${body} `),
    withBody("A body written anew", (body) => JSON.stringify(JSON.parse(body), null, 1)),
  ],
}

function signatureOf({ key, timestamp, body, encoding }: Genuine): string {
  return sign(key, timestamp, Buffer.from(body, "utf8"), encoding)
}

function signed(genuine: Genuine): Disguised {
  return { timestamp: genuine.timestamp, signature: signatureOf(genuine), body: genuine.body }
}

function withSignature(name: string, signature: (genuine: Genuine) => string | null): Attack {
  return {
    name,
    disguise: (genuine) => ({
      timestamp: genuine.timestamp,
      signature: signature(genuine),
      body: genuine.body,
    }),
  }
}

/** Rightly signed, at another time: what a delivery looks like that was recorded and is played back. */
function signedAt(name: string, byMs: number): Attack {
  return {
    name,
    disguise: (genuine) =>
      signed({ ...genuine, timestamp: String(Number(genuine.timestamp) + byMs) }),
  }
}

/** Changed after it was signed. */
function withBody(name: string, change: (body: string) => string): Attack {
  return { name, disguise: (genuine) => ({ ...signed(genuine), body: change(genuine.body) }) }
}

/** What an attacker gains by: a price a hundredth as high, else another name, else another time. */
function withOtherValue(body: string): string {
  const cheaper = body.replace(
    /("price"\s*:\s*)(\d+(?:\.\d+)?)/,
    (_, name: string, price: string) => `${name}${Number(price) === 0 ? 1 : Number(price) / 100}`,
  )
  if (cheaper !== body) return cheaper
  const renamed = body.replace(/("eventName"\s*:\s*")/, "$1Not ")
  return renamed !== body ? renamed : body.replace(/"occurredAt"\s*:\s*/, "$&1")
}
