/** The sandbox's clock: always in sight, because everything that is late depends on it. */

import { Icon } from "../shared/icon"
import { type Dashboard, useDashboard } from "./dashboard"
import { clockTime, duration, plural } from "./format"
import { Button } from "./parts"
import { svc } from "./service"

/** Off by less than this, the sandbox's time and ours are called the same. */
const SAME_MS = 1500

const JUMPS = [
  ["+1 min", "1m", "Past the second attempt of a delivery (interface §6.6)"],
  ["+13 min", "13m", "Past the last attempt of a delivery (interface §6.6)"],
  ["+1 h", "1h", "Past warning and disabling of a subscriber (interface §3.2)"],
] as const

/** @param label  two of them on one page need two names */
export function Clock({ label }: { label: string }) {
  const dashboard = useDashboard()
  const { running } = dashboard.clock
  return (
    <section class="clock well stack gap-4" aria-label={label}>
      <p class="clock-time row" data-running={running || undefined}>
        <Icon name="clock" />
        <strong class="text-20 numeric" data-testid="clock-time">
          {clockTime(dashboard.now())}
        </strong>
      </p>
      <small class="clock-note">{note(dashboard)}</small>
      <div class="clock-buttons">
        {JUMPS.map(([word, by, title]) => (
          <Button key={word} label={word} title={title} run={() => svc.clock.advance(by)} />
        ))}
        <Button
          label="Until idle"
          title="From timer to timer until nothing is left to send"
          run={() => svc.clock.runUntilIdle()}
        />
        {running ? (
          <Button
            label="Stop"
            sign="stop"
            title="Time stands still until you move it"
            run={svc.clock.stop}
          />
        ) : (
          <Button
            label="Run"
            sign="play"
            tone="primary"
            title="Time goes on by itself from here"
            run={svc.clock.run}
          />
        )}
      </div>
    </section>
  )
}

function note({ clock, now }: Dashboard): string {
  const ahead = now() - Date.now()
  const pace = !clock.running
    ? "Standing still"
    : Math.abs(ahead) < SAME_MS
      ? "Real time"
      : `${duration(Math.abs(ahead))} ${ahead > 0 ? "ahead" : "behind"}`
  const timers = clock.pending_timers
  return timers > 0 ? `${pace} · ${plural(timers, "timer")} waiting` : pace
}
