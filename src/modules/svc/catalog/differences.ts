/** What is different between two payloads, for a person: one entry for each value. Pure. */

/** `path` as a person would write it: `variants.1.price`. What one side does not have is absent there. */
export type Difference = { path: string; before?: unknown; after?: unknown }

/** More than a person reads. */
const MOST = 200

export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare("", before ?? undefined, after ?? undefined, found)
  return found.slice(0, MOST)
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length > MOST || Object.is(before, after)) return
  if (!isBranch(before) || !isBranch(after)) {
    found.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })
    return
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compare(path ? `${path}.${name}` : name, before[name], after[name], found)
  }
}
