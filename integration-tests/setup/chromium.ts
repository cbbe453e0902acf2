import { accessSync, constants } from "node:fs"

/** Where Linux distributions and people put it; `CHROMIUM_PATH` wins. */
const CANDIDATES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
]

export const HOW_TO_GET_CHROMIUM =
  "Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to a Chromium or Chrome."

/** Quiet, and without a single connection to the outside. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  return (named ? [named] : CANDIDATES).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
