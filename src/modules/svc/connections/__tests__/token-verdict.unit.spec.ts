import { errorForStatus, SvcError } from "../../../../client"
import { type TokenVerdict, tokenVerdict } from "../token-verdict"

const answered = (status: number) =>
  errorForStatus(status, { what: "list the webhooks", excerpt: null, retryAfterMs: null })
const failed = (code: SvcError["code"], failure: SvcError["failure"]) =>
  new SvcError({ code, failure, message: "The call failed." })

const TABLE: [name: string, error: SvcError | null, verdict: TokenVerdict][] = [
  ["the endpoint's own answer", null, "accepted"],
  row(401, "refused"),
  ...[301, 400, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 429, 500, 502, 503, 504].map(
    (status) => row(status, "unproven"),
  ),
  ["no token that could be sent", failed("svc_unauthorized", "broken"), "refused"],
  ["an address that may not be called", failed("svc_insecure", "broken"), "refused"],
  ["an answer that cannot be read", failed("svc_unreadable", "dead"), "unproven"],
  ["a request that was never sent", failed("svc_rejected", "dead"), "unproven"],
  ["a web page, or nobody", failed("svc_unreachable", "retry"), "unproven"],
  ["no answer in time", failed("svc_timeout", "retry"), "unproven"],
]

function row(status: number, verdict: TokenVerdict): (typeof TABLE)[number] {
  return [`the status ${status}`, answered(status), verdict]
}

describe("what a call shows about the token", () => {
  it.each(TABLE)("%s", (_name, error, verdict) => {
    expect(tokenVerdict(error)).toBe(verdict)
  })
})
