/** What the demo says when everything is up: where things are, and what to try first. */
import { DEMO_ADMIN } from "../catalog/seed-names"

export type Addresses = { store: string; sandbox: string; storefront: string }

const TRY_THE_SHOW = `  Click first: the storefront, then the player at the bottom right. Put a product into the
  basket from the show, check out, and see the conversion in the sandbox.`

const TRY_WITHOUT_SHOW = `  No show is running: the last one has ended, so the storefront has no player.
  Start a new show: npm run demo -- --new-show, or plan one in the sandbox.`

const LOOK_AT_THE_EVENING = `  The evening was played just now, in a few seconds, by shoppers who do not exist: six orders,
  one of them refunded. All that the admin shows of it is what the store and the sandbox hold.
  Another evening: npm run demo -- --evening; a show to buy in: npm run demo -- --new-show`

export function closingWords(
  url: Addresses,
  { showRuns, evening, logs }: { showRuns: boolean; evening: boolean; logs: string },
): string {
  const player = showRuns ? "open a product of the show, or the player in the corner" : "the shop"
  const rows: [string, string, string][] = [
    ["Storefront", url.storefront, player],
    ["Sandbox", url.sandbox, "the svc side: products received, the show, orders, deliveries"],
    ["Admin", `${url.store}/app`, `${DEMO_ADMIN.email} / ${DEMO_ADMIN.password}`],
  ]
  const width = Math.max(...rows.map(([, address]) => address.length)) + 3
  const table = rows.map(
    ([name, address, note]) => `  ${name.padEnd(12)}${address.padEnd(width)}${note}`,
  )
  return `
${table.join("\n")}

${evening ? LOOK_AT_THE_EVENING : showRuns ? TRY_THE_SHOW : TRY_WITHOUT_SHOW}
  In the admin: Live commerce, and Settings, Live commerce.

  Ctrl-C ends everything; the next start goes on where you left off. Logs: ${logs}
`
}
