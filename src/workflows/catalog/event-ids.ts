/** Ids in an event's data: Medusa sends `{id}`, with one id or several, or a list of those. */
export function eventIds(data: unknown): string[] {
  return [data].flat().flatMap((entry) => {
    if (typeof entry !== "object" || entry === null || !("id" in entry)) return []
    return [entry.id].flat().filter((id): id is string => typeof id === "string")
  })
}
