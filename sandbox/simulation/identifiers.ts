import type { Profiles } from "./profiles"

/** An identifier that the service makes, with what the interface does not forbid (§2.3): the profile `identifiers`. */
export const shaped = ({ profiles }: { profiles: Profiles }, id: string): string =>
  profiles.get("identifiers") === "any" ? `${id} 26/æ` : id
