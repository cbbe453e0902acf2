import fc from "fast-check"

/**
 * How often a generated test (fast-check) runs, and from which seed: jest's own, which is new for each run and printed
 * with its result. `npm test -- --seed=<that number> <path>` makes the same values again. A failure prints the smallest
 * values that fail, as far as they are found within the time limit; a test that cannot make all its runs in it fails.
 */
export const runs = (numRuns: number) => ({
  numRuns,
  seed: jest.getSeed(),
  // Five minutes, or ten milliseconds for each where somebody asked for very many: a busy machine has taken two for what
  // takes twelve seconds on a quiet one.
  interruptAfterTimeLimit: Math.max(300_000, numRuns * 10),
  markInterruptAsFailure: true,
})

/** So many of them, in any order, as the run's seed draws; without a number all. */
export function drawn<T>(all: T[], count = all.length): T[] {
  const some = fc.shuffledSubarray(all, { minLength: count, maxLength: count })
  return fc.sample(some, { seed: jest.getSeed(), numRuns: 1 })[0] ?? []
}

/** A step of a history, drawn as often beside others as its weight says. */
export const often = <Do extends string, More extends object>(
  weight: number,
  what: Do,
  more: { [K in keyof More]: fc.Arbitrary<More[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(what), ...more }) as fc.Arbitrary<{ do: Do } & More>,
})
