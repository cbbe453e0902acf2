/** `svc-sandbox check [<url>]`: the referee on the command line. */

import { type ControlClient, createControlClient } from "../client/control-client"
import { check, line, summary } from "../referee"
import { type CommandOptions, UsageError } from "./command-line"

/** @returns the exit code: 1 where a rule is broken */
export async function checkCommand(
  { subject, sandboxUrl, pageUid, key, json }: CommandOptions,
  print: (text: string) => void,
): Promise<number> {
  const control = createControlClient(sandboxUrl)
  const runs = await control.health().then(
    () => true,
    () => false,
  )
  if (!runs && subject === undefined) {
    throw new UsageError(`No receiver is named, and no sandbox runs at ${sandboxUrl}.`)
  }
  const found = key ?? (subject && runs ? await keyOf(control, subject) : undefined)
  if (subject !== undefined && found === undefined) {
    throw new UsageError(
      `Which key does ${subject} have? Give it with --key, or register the address at a sandbox that runs at ${sandboxUrl}.`,
    )
  }
  const report = await check({
    ...(subject !== undefined && { url: subject, key: found }),
    pageUid,
    ...(runs && { sandboxUrl }),
    ...(!json && { onFinding: (finding) => print(`${line(finding)}\n`) }),
  })
  print(json ? `${JSON.stringify(report, null, 2)}\n` : `${summary(report)}\n`)
  return report.broken > 0 ? 1 : 0
}

/** A snapshot is the one place where the sandbox tells keys. */
async function keyOf(control: ControlClient, url: string): Promise<string | undefined> {
  const { tables } = await control.snapshot()
  return tables.subscribers.find((subscriber) => subscriber.url === url)?.signature_key
}
