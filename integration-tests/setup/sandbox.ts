/** The sandbox as others meet it: a process of its own that is spoken to over HTTP. */
import { type ControlClient, createControlClient } from "../../sandbox/client/control-client"
import { startChild } from "../../tools/child"
import { freePort } from "../../tools/ports"
import { eventually } from "./market"

export type RunningSandbox = {
  /** `http://127.0.0.1:<port>`: the `base_url` of a connection. */
  url: string
  port: number
  stop: () => Promise<void>
  /** Everything that `control` can do of which the answer is read. */
  client: ControlClient
  /** `GET` or, with a body, `POST` on `/_sandbox/...`; throws with the answer when not 2xx. */
  control: <T = unknown>(path: string, body?: unknown, method?: string) => Promise<T>
  /** Waits until each endpoint that has a fault was struck by it: so far is what is under way. */
  faultsStruck: () => Promise<void>
  /** Takes all faults away; throws where those of an endpoint never struck, because the test has seen it work. */
  endFaults: () => Promise<void>
  /** Takes all faults away, though some may not have struck: for those that only chance, or a mistake, comes by. */
  forgetFaults: () => Promise<void>
}

type FaultPlan = { rules: { on: string; kind?: string; applied: number }[] }

/** `port` for starting again where an earlier one was, as after a stop. */
export async function startSandbox(
  options: { port?: number; env?: Record<string, string> } = {},
): Promise<RunningSandbox> {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    name: "The sandbox",
    script: "sandbox/cli/bin.ts",
    // jest's own options would only slow the program down.
    env: { SANDBOX_PORT: String(port), NODE_OPTIONS: "", NODE_ENV: "", ...options.env },
    readyUrl: `${url}/_sandbox/health`,
    timeoutMs: 120_000,
  })

  async function ask<T>(path: string, body?: unknown, method?: string): Promise<T> {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`/_sandbox${path} answered ${response.status}: ${text.slice(0, 500)}`)
    }
    return (text ? JSON.parse(text) : undefined) as T
  }

  /** The rules of endpoints that no fault has struck. */
  async function idleFaults() {
    const { faults } = await ask<{ faults: FaultPlan[] }>("/faults")
    const rules = faults.flatMap((plan) => plan.rules)
    const struck = new Set(rules.filter(({ applied }) => applied > 0).map(({ on }) => on))
    return rules.filter(({ on }) => !struck.has(on))
  }
  const faultsStruck = async () => void (await eventually(idleFaults, ({ length }) => length === 0))

  const forgetFaults = () => ask<void>("/faults", undefined, "DELETE")

  async function endFaults(): Promise<void> {
    const idle = await idleFaults()
    await forgetFaults()
    if (idle.length > 0) {
      throw new Error(`These faults never struck anything: ${JSON.stringify(idle)}`)
    }
  }

  const client = createControlClient(url)
  return {
    url,
    port,
    stop: child.stop,
    client,
    control: ask,
    faultsStruck,
    endFaults,
    forgetFaults,
  }
}
