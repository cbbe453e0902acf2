/** A change of a file as people read it: the lines that go and come, with a little around them. */

const AROUND = 2

/** Lines from the first that differs to the last: enough where each change of a file is small. */
export function showDiff(file: string, before: string | null, after: string | null): string {
  const old = linesOf(before)
  const fresh = linesOf(after)
  const said = [
    `--- ${before === null ? "(new)" : file}`,
    `+++ ${after === null ? "(gone)" : file}`,
  ]
  let line = 0
  for (const { kept, gone, come } of hunks(old, fresh)) {
    line += kept.length
    if (gone.length === 0 && come.length === 0) continue
    said.push(
      `@@ line ${line + 1} @@`,
      ...kept.slice(-AROUND).map((text) => `  ${text}`),
      ...gone.map((text) => `- ${text}`),
      ...come.map((text) => `+ ${text}`),
    )
    line += gone.length
  }
  return said.join("\n")
}

const linesOf = (text: string | null) => (text ? text.replace(/\r?\n$/, "").split(/\r?\n/) : [])

type Hunk = { kept: string[]; gone: string[]; come: string[] }

/** Greedy: at a difference, the nearest pair of equal lines ends it. */
function hunks(old: string[], fresh: string[]): Hunk[] {
  const found: Hunk[] = []
  let [a, b] = [0, 0]
  while (a < old.length || b < fresh.length) {
    const start = a
    while (a < old.length && b < fresh.length && old[a] === fresh[b]) [a, b] = [a + 1, b + 1]
    const kept = old.slice(start, a)
    const [toA, toB] = nextEqual(old, fresh, a, b)
    found.push({ kept, gone: old.slice(a, toA), come: fresh.slice(b, toB) })
    ;[a, b] = [toA, toB]
  }
  return found
}

function nextEqual(old: string[], fresh: string[], a: number, b: number): [number, number] {
  const most = old.length - a + fresh.length - b
  for (let apart = 0; apart <= most; apart += 1) {
    for (let skip = 0; skip <= apart; skip += 1) {
      const [i, j] = [a + skip, b + apart - skip]
      if (i < old.length && j < fresh.length && old[i] === fresh[j]) return [i, j]
    }
  }
  return [old.length, fresh.length]
}
