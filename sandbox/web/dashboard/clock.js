/** The sandbox's clock: always in sight, because everything that is late depends on it. */
import { icon } from "/player/icons.js"
import { h } from "/player/view.js"
import { post } from "./api.js"
import { clockTime, duration, plural } from "./format.js"
import { button } from "./parts.js"

/** Off by less than this, the sandbox's time and ours are called the same. */
const SAME_MS = 1500

export const JUMPS = [
  ["+1 min", "1m", "Past the second attempt of a delivery (interface §6.6)"],
  ["+13 min", "13m", "Past the last attempt of a delivery (interface §6.6)"],
  ["+1 h", "1h", "Past warning and disabling of a subscriber (interface §3.2)"],
]

const jump = (ctx, [label, advance, title]) =>
  button(ctx, { label, title, key: `clock ${label}`, run: () => post("/clock", { advance }) })

const idle = (ctx) =>
  button(ctx, {
    label: "Until idle",
    key: "clock idle",
    title: "From timer to timer until nothing is left to send",
    run: () => post("/clock", { run_until_idle: true }),
  })

const runStop = (ctx) =>
  ctx.clock.running
    ? button(ctx, {
        label: "Stop",
        key: "clock stop",
        sign: "stop",
        title: "Time stands still until you move it",
        run: () => post("/clock", { stop: true }),
      })
    : button(ctx, {
        label: "Run",
        key: "clock run",
        sign: "play",
        tone: "primary",
        title: "Time goes on by itself from here",
        run: () => post("/clock", { run: true }),
      })

/** @param {string} label two of them on one page need two names */
export function clockWidget(ctx, label) {
  return h(
    "section.clock",
    { "aria-label": label },
    h(
      "p.clock-time",
      { "data-running": ctx.clock.running },
      icon("clock"),
      h("strong", { "data-testid": "clock-time" }, clockTime(ctx.now())),
    ),
    h("p.clock-note", null, clockNote(ctx)),
    h(
      "div.clock-buttons",
      null,
      JUMPS.map((one) => jump(ctx, one)),
      idle(ctx),
      runStop(ctx),
    ),
  )
}

function clockNote(ctx) {
  const ahead = ctx.now() - Date.now()
  const timers = ctx.clock.pending_timers
  const running = !ctx.clock.running
    ? "Standing still"
    : Math.abs(ahead) < SAME_MS
      ? "Real time"
      : `${duration(Math.abs(ahead))} ${ahead > 0 ? "ahead" : "behind"}`
  return timers > 0 ? `${running} · ${plural(timers, "timer")} waiting` : running
}
