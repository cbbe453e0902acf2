/** How the sender of a request is named wherever it is counted by. */
import ipaddr from "ipaddr.js"

/** One name for all that can be no address, or no connection of ours: strangers choose both, and their length. */
const ODD = "odd"
/** Some proxies write the port behind the address. */
const PORTED = /^\[?((?<=\[)[0-9a-f:.]+(?=\])|[0-9.]+)\]?:\d{1,5}$/i
const CONNECTION_ID = /^[\w-]{1,60}$/

/**
 * The network that an address belongs to. An IPv6 address counts as the first half of it, because whoever has one has
 * all that share this half. Behind a proxy that is not trusted the address is text that the sender wrote.
 */
export function networkOf(text: string): string {
  const address = PORTED.exec(text)?.[1] ?? text
  if (!ipaddr.isValid(address)) return ODD
  const read = ipaddr.process(address)
  return read instanceof ipaddr.IPv6
    ? `${read.parts.slice(0, 4).map(hex).join(":")}::/64`
    : read.toString()
}

const hex = (part: number): string => part.toString(16)

export const connectionNamed = (id: string): string => (CONNECTION_ID.test(id) ? id : ODD)
