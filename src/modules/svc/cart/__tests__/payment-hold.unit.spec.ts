import { livingSessions, paidSession } from "../payment-hold"
import type { CartPayment, PaymentSession } from "../situation"

const DUE = { total: 129, currency: "dkk" }
const session = (more: Partial<PaymentSession>): PaymentSession => ({
  id: "payses_1",
  status: "authorized",
  amount: 129,
  currency: "dkk",
  ...more,
})

const paying = (sessions: PaymentSession[]): CartPayment => ({ collection: null, sessions })

describe("what has paid a basket's total", () => {
  it.each<[string, Partial<PaymentSession>, boolean]>([
    ["is authorised", {}, true],
    ["is captured", { status: "captured" }, true],
    ["has more digits than money", { amount: 129.0004 }, true],
    ["has only begun", { status: "pending" }, false],
    ["wants more of the shopper", { status: "requires_more" }, false],
    ["failed", { status: "error" }, false],
    ["was cancelled", { status: "canceled" }, false],
    ["is a cent less", { amount: 128.99 }, false],
    ["is a cent more", { amount: 129.01 }, false],
    ["is of another currency", { currency: "eur" }, false],
  ])("is a session that %s: %j", (_what, more, isPaid) => {
    const open = session({ id: "payses_0", status: "pending" })
    const paid = paidSession(paying([open, session(more)]), DUE)
    expect(paid?.id ?? null).toBe(isPaid ? "payses_1" : null)
  })
})

it("a shopper may still have paid, or pay, with every session but a cancelled one", () => {
  const living = ["pending", "requires_more", "authorized", "captured", "error"]
  const sessions = [...living, "canceled"].map((status) => session({ status }))
  expect(livingSessions(paying(sessions)).map(({ status }) => status)).toEqual(living)
})
