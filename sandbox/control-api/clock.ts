/** `/_sandbox/clock`: turning the time. */

import { z } from "zod"
import { SandboxError } from "../contract/errors"
import { parse, time } from "../contract/input"
import { DEFAULT_GRACE_MS, parseDuration } from "../simulation/clock"
import type { Context } from "../store/context"
import type { Route } from "./route"
import { clockView } from "./views"

/** Ten years: a date far beyond them cannot be written any more. */
const LONGEST_MS = 10 * 365 * 24 * 3_600_000

const duration = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = parseDuration(value)
  if (ms !== null && ms <= LONGEST_MS) return ms
  context.addIssue({
    code: "custom",
    message: 'Milliseconds, or text like "90s", "30m", "1h"; at most ten years.',
  })
  return z.NEVER
})
const clockCommand = z
  .strictObject({
    stop: z.literal(true).optional(),
    run: z.literal(true).optional(),
    set: time.optional(),
    advance: duration.optional(),
    run_until_idle: z.literal(true).optional(),
    settle: z.literal(true).optional(),
    grace_ms: z.number().min(0).max(60_000).default(DEFAULT_GRACE_MS),
  })
  .refine((command) => Object.keys(command).length > 1, {
    message: "One of stop, run, set, advance, run_until_idle, settle.",
  })

export type ClockCommand = z.input<typeof clockCommand>

export function clock(route: Route, context: Context): void {
  const { clock, changes } = context

  route("GET", "/clock", () => clockView(clock))
  route("POST", "/clock", async ({ body }) => {
    const command = parse(clockCommand, body)
    if (command.stop) clock.stop()
    if (command.set !== undefined && command.set < clock.now()) {
      throw new SandboxError(400, "clock_backwards", "The clock does not go backwards: reset it.")
    }
    if (command.set !== undefined) await clock.moveTo(command.set, command.grace_ms)
    if (command.advance !== undefined) await clock.advance(command.advance, command.grace_ms)
    if (command.run_until_idle) await clock.runUntilIdle(command.grace_ms)
    if (command.settle) await clock.settle(command.grace_ms)
    if (command.run) clock.run()
    changes.touch("clock")
    return clockView(clock)
  })
}
