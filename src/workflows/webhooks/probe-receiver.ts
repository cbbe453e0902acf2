import type { Readable } from "node:stream"
import axios from "axios"
import { agentsFor } from "../../client"
import { HEADERS, isObject, parseJson, signDelivery } from "../../contract"
import type { Evidence, ProbeResult } from "../../modules/svc/webhooks"
import { PROBE_TOPIC } from "../../modules/svc/webhooks"

/** For the whole of an answer. */
const TIMEOUT_MS = 8_000
/** More than any answer of ours: whoever sends more is somebody else. */
const MOST_BYTES = 16 * 1024
/** Room for the envelope of the large probe. */
const MARGIN_BYTES = 1_024

/**
 * Sends two signed bodies to a receiver the way that the service's deliveries come: a small one, and one as large as it
 * takes. They are verified and kept nowhere.
 *
 * @param url of the receiver
 * @param maxBytes the largest body that it takes
 */
export async function probeReceiver(
  url: string,
  { pageUid, key, maxBytes }: { pageUid: string; key: string; maxBytes: number },
): Promise<NonNullable<Evidence["probes"]>> {
  const bodyOf = (filling: string) =>
    Buffer.from(
      JSON.stringify({
        version: "v1",
        topic: PROBE_TOPIC,
        metadata: { pageUid: pageUid },
        // Spaces, escapes and letters beyond ASCII are what rewriters of bodies change.
        data: { text: "Æblegrød  \u2028 é", filling },
      }).replace("{", "{ "),
    )
  const small = await send(url, key, bodyOf(""))
  const large = bodyOf("x".repeat(Math.max(0, maxBytes - MARGIN_BYTES)))
  const answered = small.kind === "accepted" ? await send(url, key, large) : small
  return { small, large: { ...answered, bytes: large.length } }
}

async function send(url: string, key: string, body: Buffer): Promise<ProbeResult> {
  const timestamp = String(Date.now())
  // The store's own address, which may be in its own network.
  const { http: httpAgent, https: httpsAgent } = agentsFor(url, { allowInsecure: true })
  try {
    const { status, data } = await axios.post<Readable>(url, body, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      maxRedirects: 0,
      proxy: false,
      responseType: "stream",
      httpAgent,
      httpsAgent,
      validateStatus: () => true,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Svc-Webhooks/1 (probe of medusa-plugin-svc)",
        [HEADERS.timestamp]: timestamp,
        [HEADERS.signature]: signDelivery(key, timestamp, body),
      },
    })
    let text = ""
    for await (const chunk of data) {
      text += chunk
      if (text.length > MOST_BYTES) break
    }
    return resultOf(status, text)
  } catch (error) {
    // The network's own word: people read the finding in their language.
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined
    if (code === "ERR_CANCELED") return { kind: "unreachable", problem: "ETIMEDOUT" }
    return { kind: "unreachable", problem: typeof code === "string" ? code : "ERR_UNKNOWN" }
  }
}

/** What our receiver says of a body that is not the one that we sent. */
const OTHER_BODY: readonly unknown[] = [
  "not_verified",
  "not_an_envelope",
  "not_plain_json",
  "too_large",
]
const NOT_NOW: readonly unknown[] = ["try_again", "too_many_requests", "too_slow"]

/** Whose answer it is: ours names a code, or what it did. */
function resultOf(status: number, text: string): ProbeResult {
  const body = parseJson(text)
  if (!isObject(body)) return { kind: "foreign", status }
  if (body.received === true && body.outcome === "probe") return { kind: "accepted" }
  if (OTHER_BODY.includes(body.code)) return { kind: "not_verified" }
  if (NOT_NOW.includes(body.code)) return { kind: "not_ready" }
  return { kind: "foreign", status }
}
