import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, PaymentSessionStatus } from "@medusajs/framework/utils"

type ProviderStatus = {
  getStatus: (
    providerId: string,
    input: { data: Record<string, unknown> },
  ) => Promise<{ status: string }>
}

/**
 * What became of a payment that could not be ended. `made`: its provider says that it was authorised or captured, or cannot
 * be asked at all. `gone`: somebody else has ended it. `open`: it was not paid, or the provider cannot be reached, so nobody
 * knows.
 */
type PaymentFate = "made" | "gone" | "open"

export async function paymentFate(
  container: MedusaContainer,
  sessionId: string,
): Promise<PaymentFate> {
  const payments = container.resolve(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions({ id: sessionId })
  if (!session) return "gone"
  // The payment module offers no other way to ask a provider without authorising.
  const providers: unknown = Reflect.get(payments, "paymentProviderService_")
  if (!canTellStatus(providers)) return "made"
  try {
    const { status } = await providers.getStatus(session.provider_id, { data: session.data })
    return MADE.includes(status) ? "made" : "open"
  } catch {
    return "open"
  }
}

const MADE: string[] = [PaymentSessionStatus.AUTHORIZED, PaymentSessionStatus.CAPTURED]

const canTellStatus = (providers: unknown): providers is ProviderStatus =>
  typeof providers === "object" &&
  providers !== null &&
  typeof Reflect.get(providers, "getStatus") === "function"
