/** The sandbox's control API (docs/sandbox.md), and the few calls a page's own token is for. */

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

async function call(method, path, { body, token } = {}) {
  let response
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token && { authorization: `Token ${token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    throw new ApiError(0, "unreachable", "The sandbox does not answer. Is it still running?")
  }
  const answer = await response.json().catch(() => null)
  if (!response.ok) {
    const { code = "error", message = `${method} ${path} answered ${response.status}` } =
      answer?.error ?? {}
    throw new ApiError(response.status, code, message)
  }
  return answer
}

/** `/products` with `{q: "mug", page_uid: undefined}` → `/_sandbox/products?q=mug` */
function control(path, query = {}) {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      params.set(name, String(value))
    }
  }
  return `/_sandbox${path}${params.size > 0 ? `?${params}` : ""}`
}

export const get = (path, query) => call("GET", control(path, query))
export const post = (path, body = {}) => call("POST", control(path), { body })
export const remove = (path) => call("DELETE", control(path))

/** Subscribers are made, rotated and deleted through the service's own API (interface §4.4). */
export const webhooks = {
  create: (page, body) => call("POST", "/api/v1/webhooks", { body, token: page.api_token }),
  rotate: (page, uid) =>
    call("POST", `/api/v1/webhooks/${encodeURIComponent(uid)}/rotateSignatureKey`, {
      body: {},
      token: page.api_token,
    }),
  remove: (page, uid) =>
    call("DELETE", `/api/v1/webhooks/${encodeURIComponent(uid)}`, { token: page.api_token }),
}

/** Calls `onChange` with the names of what changed, and with null after a lost connection. */
export function follow(onChange, onState) {
  const stream = new EventSource("/_sandbox/stream")
  let lost = false
  stream.addEventListener("changed", (event) => onChange(JSON.parse(event.data).what))
  stream.addEventListener("open", () => {
    onState(true)
    if (lost) {
      lost = false
      onChange(null)
    }
  })
  stream.addEventListener("error", () => {
    lost = true
    onState(false)
  })
}
