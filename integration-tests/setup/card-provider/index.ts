/**
 * A card company of the tests' own. As with most real ones the shopper confirms the card in the browser, where neither
 * Medusa nor the plugin hears of it, and the company tells the store by a webhook. What was captured cannot be cancelled, nor
 * what is cancelled, or whose page has expired, once more.
 */
import {
  AbstractPaymentProvider,
  ModuleProvider,
  Modules,
  PaymentActions,
  PaymentSessionStatus,
} from "@medusajs/framework/utils"

type Input = { data?: Record<string, unknown> }

export type CardPayment = {
  sessionId: string
  amount: number
  status: "open" | "authorized" | "captured" | "canceled" | "failed"
  /** How often money was taken. */
  captures: number
  /** The company cannot be reached to cancel it or to ask about it. */
  isUnreachable?: boolean
  /** The company is asked how the payment stands, and never answers. */
  isSilent?: boolean
  /** What the company waits for before it has paid back; rejected where it refuses. */
  paysBackAfter?: Promise<void>
}

const KEY = Symbol.for("svc.tests.card-payments")
const company = globalThis as { [KEY]?: Map<string, CardPayment> }

/** What the company knows, by payment session; the tests confirm cards here. */
export function cardPayments(): Map<string, CardPayment> {
  company[KEY] ??= new Map()
  return company[KEY]
}

const paymentOf = ({ data }: Input): CardPayment => {
  const payment = cardPayments().get(String(data?.session_id))
  if (!payment) throw new Error("The card company knows no such payment.")
  return payment
}

const SESSION = {
  open: PaymentSessionStatus.REQUIRES_MORE,
  failed: PaymentSessionStatus.ERROR,
  authorized: PaymentSessionStatus.AUTHORIZED,
  captured: PaymentSessionStatus.CAPTURED,
  canceled: PaymentSessionStatus.CANCELED,
} as const

class CardProvider extends AbstractPaymentProvider {
  static override identifier = "card"

  // Medusa's own constructor is protected, and a provider is made by others.
  constructor(container: Record<string, unknown>, config?: Record<string, unknown>) {
    super(container, config)
  }

  async initiatePayment({ amount, data }: { amount: unknown } & Input) {
    const sessionId = String(data?.session_id)
    cardPayments().set(sessionId, {
      sessionId,
      amount: Number(amount),
      status: "open",
      captures: 0,
    })
    return { id: sessionId, data: { session_id: sessionId }, status: PaymentSessionStatus.PENDING }
  }

  async authorizePayment(input: Input) {
    return { data: input.data ?? {}, status: SESSION[paymentOf(input).status] }
  }

  async capturePayment(input: Input) {
    const payment = paymentOf(input)
    if (payment.status !== "captured") payment.captures += 1
    payment.status = "captured"
    return { data: input.data ?? {} }
  }

  async cancelPayment(input: Input) {
    const payment = paymentOf(input)
    if (payment.isUnreachable) throw new Error("ECONNRESET")
    if (payment.status === "captured" || payment.status === "canceled") {
      throw new Error(`A ${payment.status} payment cannot be cancelled.`)
    }
    payment.status = "canceled"
    return { data: input.data ?? {} }
  }

  async deletePayment(input: Input) {
    return this.cancelPayment(input)
  }

  async refundPayment(input: Input) {
    await paymentOf(input).paysBackAfter
    return { data: input.data ?? {} }
  }

  async retrievePayment(input: Input) {
    return { data: input.data ?? {} }
  }

  async updatePayment(input: Input) {
    return { data: input.data ?? {} }
  }

  async getPaymentStatus(input: Input) {
    const { isUnreachable, isSilent } = paymentOf(input)
    if (isUnreachable) throw new Error("ECONNRESET")
    if (isSilent) await new Promise(() => undefined)
    return { status: SESSION[paymentOf(input).status] }
  }

  async getWebhookActionAndData(payload: { data: Record<string, unknown> }) {
    const { session_id, amount, captured } = payload.data
    return {
      action: captured ? PaymentActions.SUCCESSFUL : PaymentActions.AUTHORIZED,
      data: { session_id: String(session_id), amount: Number(amount) },
    }
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [CardProvider] })
