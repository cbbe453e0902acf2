/** What may happen to a basket, as values that fast-check makes and shrinks. */
import fc from "fast-check"

const which = fc.nat(1)
const pieces = fc.integer({ min: 1, max: 4 })
const anyLine = fc.nat(3)
const one = <Do extends string, More extends object>(
  what: Do,
  more: { [K in keyof More]: fc.Arbitrary<More[K]> },
) =>
  // In which of the shopper's two tabs; what happens in none of them leaves it aside.
  fc.record({ do: fc.constant(what), tab: fc.nat(1), ...more }) as fc.Arbitrary<
    { do: Do; tab: number } & More
  >

/** A cart action of the player. */
export const act = one("act", {
  show: which,
  action: fc.constantFrom("add", "change", "remove", "checkout"),
  variant: which,
  quantity: pieces,
  twice: fc.boolean(),
})
const STEPS = [
  { weight: 10, arbitrary: act },
  {
    weight: 6,
    arbitrary: one("core_add", {
      variant: which,
      quantity: pieces,
      show: which,
      marked: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: one("core_set", { line: anyLine, quantity: fc.integer({ min: 0, max: 4 }) }),
  },
  { weight: 1, arbitrary: one("core_remove", { line: anyLine }) },
  {
    weight: 9,
    arbitrary: one("price", {
      show: which,
      amount: fc.constantFrom(99, 129, 149, 219),
      included: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: one("cancel", { show: which }) },
  { weight: 1, arbitrary: one("deadline", { show: which }) },
  { weight: 1, arbitrary: one("take_out", { show: which }) },
  { weight: 3, arbitrary: one("minutes", { minutes: fc.constantFrom(5, 16, 31) }) },
  { weight: 2, arbitrary: one("job", {}) },
  { weight: 2, arbitrary: one("region", { to: fc.constantFrom("denmark", "iceland", "europe") }) },
  { weight: 1, arbitrary: one("channel", { home: fc.boolean() }) },
  { weight: 1, arbitrary: one("customer", {}) },
  // What somebody who has logged in pays without a show is met only where they order a line that the shop priced.
  { weight: 8, arbitrary: one("log_in", {}) },
  { weight: 1, arbitrary: one("promotion", { on: fc.boolean() }) },
  { weight: 1, arbitrary: one("gift", {}) },
  { weight: 1, arbitrary: one("service", { errs: fc.boolean() }) },
  { weight: 8, arbitrary: one("pay", { card: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: one("card", {
      how: fc.constantFrom("authorized", "captured", "failed"),
      minutes: fc.constantFrom(0, 16, 40),
      ends: fc.boolean(),
      job: fc.boolean(),
      taps: fc.boolean(),
      webhook: fc.constantFrom("never", "late", "twice"),
    }),
  },
  { weight: 3, arbitrary: one("order", {}) },
] as const
export const step = fc.oneof(...STEPS)
/** Of each kind one. */
export const eachStep = fc.tuple(...STEPS.map(({ arbitrary }) => arbitrary as fc.Arbitrary<Step>))
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
