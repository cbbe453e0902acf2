/**
 * Refuses calls that a browser was led to by a foreign name.
 *
 * A web site can give its own name this machine's address (DNS rebinding). The browser then takes the
 * sandbox for that site and lets its scripts read everything here. The name stays in `Host`, so only
 * names that a foreign site cannot own are answered: addresses, names without a dot (`localhost`, a
 * service in a Compose file), and what the options name.
 */

import { isIP } from "node:net"
import { SandboxError } from "./contract/errors"

const OWN_ENDINGS = [".localhost", ".internal", ".test"]

/** @throws SandboxError 403 `foreign_host` */
export function refuseForeignHost(header: string | undefined, named: string[]): void {
  // No browser leaves it out.
  if (header === undefined || header === "") return
  const host = header
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .toLowerCase()
  if (isIP(host) !== 0 || !host.includes(".") || named.includes(host)) return
  if (OWN_ENDINGS.some((ending) => host.endsWith(ending))) return
  throw new SandboxError(
    403,
    "foreign_host",
    `"${host}" is not this sandbox's name. Start it with --public-url http://${host} if it is.`,
  )
}
