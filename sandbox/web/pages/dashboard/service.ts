/** What the dashboard asks of the sandbox: the control API, and a page's own webhook calls. */

import { createControlClient } from "../../../client/control-client"
import type { Page } from "../../../store/tables"

export const svc = createControlClient("")

/** A created or rotated webhook; profiles may spell it otherwise (gap 13). */
type KeyAnswer = {
  signatureKey?: string
  signature_key?: string
  webhook?: { signatureKey?: string }
}

/** Subscribers are made, rotated and deleted through the service's own API (interface §4.4). */
async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/api/v1/webhooks${path}`, {
    method,
    headers: {
      authorization: `Token ${page.api_token}`,
      ...(body && { "content-type": "application/json" }),
    },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json().catch(() => null)
  if (!response.ok) {
    throw new Error(answer?.error?.message ?? `The service answered ${response.status}.`)
  }
  return answer
}

const keyOf = ({ signatureKey, signature_key, webhook }: KeyAnswer) =>
  signatureKey ?? signature_key ?? webhook?.signatureKey ?? ""

export const webhooks = {
  /** @returns the signature key, which is shown this once */
  create: async (page: Page, input: object) =>
    keyOf(await call<KeyAnswer>(page, "POST", "", input)),
  rotate: async (page: Page, uid: string) =>
    keyOf(
      await call<KeyAnswer>(page, "POST", `/${encodeURIComponent(uid)}/rotateSignatureKey`, {}),
    ),
  remove: (page: Page, uid: string) => call<null>(page, "DELETE", `/${encodeURIComponent(uid)}`),
}

/** Calls `onChange` for every change, and once after a lost connection is back. */
export function followChanges(onChange: () => void, onState: (connected: boolean) => void): void {
  const stream = new EventSource("/_sandbox/stream")
  let lost = false
  stream.addEventListener("changed", onChange)
  stream.addEventListener("open", () => {
    onState(true)
    if (lost) onChange()
    lost = false
  })
  stream.addEventListener("error", () => {
    lost = true
    onState(false)
  })
}
