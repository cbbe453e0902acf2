/** What a benchmark found; with a mark, `npm run bench` fails where the value misses it. */
export type Figure = {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Runs each way in turn, in an order that alternates, so that a busy machine slows all of them.
 *
 * @param ways each answers how long it took
 * @param warmUp rounds that do not count
 * @returns what each way answered, without the first rounds
 */
export async function inTurn<Name extends string>(
  ways: Record<Name, (n: number) => Promise<number>>,
  { pairs, warmUp }: { pairs: number; warmUp: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[]
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >
  for (let n = 0; n < warmUp + pairs; n++) {
    for (const name of n % 2 === 0 ? names : [...names].reverse()) {
      const took = await ways[name](n)
      if (n >= warmUp) seen[name].push(took)
    }
  }
  return seen
}
