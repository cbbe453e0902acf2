/** `svc-sandbox check <url>`: the referee on the command line. */

import { createControlClient } from "../client/control-client"
import { check, line, summary } from "../referee"
import { type CommandOptions, UsageError } from "./command-line"

/** @returns the exit code: 1 where a rule is broken */
export async function checkCommand(
  { subject: url, sandboxUrl, pageUid, key, json }: CommandOptions,
  print: (text: string) => void,
): Promise<number> {
  if (url === undefined) throw new UsageError("Which receiver? Its address is missing.")
  // A snapshot is the one place where the sandbox tells keys.
  const snapshot = await createControlClient(sandboxUrl)
    .snapshot()
    .catch(() => null)
  const registered = snapshot?.tables.subscribers.find((subscriber) => subscriber.url === url)
  const known = key ?? registered?.signature_key
  if (known === undefined) {
    throw new UsageError(
      `Which key does ${url} have? Give it with --key, or register the address at a sandbox that runs at ${sandboxUrl}.`,
    )
  }
  const report = await check({
    url,
    key: known,
    pageUid,
    ...(registered && { subscriberUid: registered.uid }),
    ...(!json && { onFinding: (finding) => print(`${line(finding)}\n`) }),
  })
  print(json ? `${JSON.stringify(report, null, 2)}\n` : `${summary(report)}\n`)
  return report.broken > 0 ? 1 : 0
}
