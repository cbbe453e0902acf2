import type { MedusaContainer, PaymentSessionDTO } from "@medusajs/framework/types"
import { Modules, PaymentSessionStatus } from "@medusajs/framework/utils"
import { refused } from "../../modules/svc/cart"
import { messageOf } from "../../modules/svc/shared/error-message"
import { within } from "../../modules/svc/shared/within"

/** A shopper waits for a provider's answer, or the job of each minute, and all others behind it. */
const PATIENCE_MS = 8_000

/** The payment module offers no other way to ask a provider without authorising. */
type HasProviders = {
  paymentProviderService_?: {
    getStatus?: (
      providerId: string,
      input: { data: Record<string, unknown> },
    ) => Promise<{ status: string }>
  }
}

/**
 * How payments stand with their providers, in the words of Medusa's sessions; `unknown` where the provider cannot be reached,
 * or does not answer.
 * `isMade`: the shopper has confirmed it, whatever Medusa's session says: with most cards that happens in the browser, and
 * Medusa calls its session pending until the order is placed. Money that is on its way counts too, and so does a provider
 * that cannot be asked at all. A session that somebody else has ended is missing.
 */
async function standingsOf(container: MedusaContainer, sessionIds: string[]) {
  const sessions = await container
    .resolve(Modules.PAYMENT)
    .listPaymentSessions({ id: sessionIds }, { take: null })
  return Promise.all(
    sessions.map(async (session) => {
      const status = await statusOf(container, session)
      return { session, status, isMade: MADE.includes(status) }
    }),
  )
}

async function statusOf(container: MedusaContainer, session: PaymentSessionDTO): Promise<string> {
  const { paymentProviderService_: providers } = container.resolve(Modules.PAYMENT) as HasProviders
  if (!providers?.getStatus) return PaymentSessionStatus.AUTHORIZED
  try {
    const asked = providers.getStatus(session.provider_id, { data: session.data })
    return (await within(PATIENCE_MS, "no answer", () => asked)).status
  } catch (error) {
    // Medusa's own manual provider, and others after its pattern, know no status: nobody confirms anything with them.
    return /not implemented/i.test(messageOf(error)) ? session.status : "unknown"
  }
}

/**
 * How payments stand, but for those that their provider calls cancelled, as one whose page has expired: nobody can pay with
 * them any more, so their sessions are taken away.
 */
async function livingStandingsOf(container: MedusaContainer, sessionIds: string[]) {
  const standings = await standingsOf(container, sessionIds)
  const over = standings.filter(({ status }) => status === PaymentSessionStatus.CANCELED)
  const ids = over.map(({ session }) => session.id)
  if (ids.length > 0) await removeSessions(container, ids)
  return standings.filter((standing) => !over.includes(standing))
}

/**
 * To be asked, without the cart's lock, where core would end these payments for another one. Core leaves those that it
 * cannot end, and places the order with the first.
 *
 * @throws SvcRefusal `payment_under_way` where the money of one was taken: it cannot be ended
 */
export async function makeWayForAnother(
  container: MedusaContainer,
  { payments, locale }: { payments: string[]; locale: string | null },
): Promise<void> {
  if (payments.length === 0) return
  const standings = await livingStandingsOf(container, payments)
  if (standings.some(({ status }) => status === PaymentSessionStatus.CAPTURED)) {
    throw Object.assign(refused("payment_under_way"), { locale })
  }
}

export type KeptPayment = Awaited<ReturnType<typeof keptPayments>>[number]

/** Of these sessions, those that were paid with, or may have been: the total that they were begun for must stand. */
export async function keptPayments(container: MedusaContainer, sessionIds: string[]) {
  const standings = await standingsOf(container, sessionIds)
  return standings
    .filter(({ status, isMade }) => isMade || status === "unknown")
    .map(({ session: { id, provider_id, amount, currency_code }, isMade }) => ({
      id,
      provider_id,
      amount: Number(amount),
      currency_code,
      /** False where its provider cannot be asked. */
      is_made: isMade,
    }))
}

/**
 * Ends payments that were begun for a total that is about to change. Their providers are asked first: cancelling would
 * succeed for a card that was authorised, and the shopper has agreed to the old total then. Where one was made, nothing is
 * ended and the lines must stay as they are. Must not be called while the cart's lock is held: a provider may be slow.
 *
 * @throws SvcRefusal `payment_under_way` where one was made; `cart_busy` where a provider cannot be reached
 */
export async function endOpenPayments(
  container: MedusaContainer,
  sessionIds: string[],
): Promise<void> {
  const standings = await livingStandingsOf(container, sessionIds)
  if (standings.some(({ isMade }) => isMade)) throw refused("payment_under_way")
  if (standings.some(({ status }) => status === "unknown")) throw refused("cart_busy")
  const payments = container.resolve(Modules.PAYMENT)
  for (const { session } of standings) {
    try {
      await payments.deletePaymentSession(session.id)
    } catch {
      // It was confirmed or ended in this very moment, or the provider is away.
      const [now] = await livingStandingsOf(container, [session.id])
      if (now) throw refused(now.isMade ? "payment_under_way" : "cart_busy")
    }
  }
}

/** Medusa generates it for each of its models; its types leave it out. */
type PaymentSessionRows = { deletePaymentSessions: (ids: string[]) => Promise<void> }

/**
 * Takes away payment sessions whose payment is cancelled or was paid back: an order failed after it was made, or its page has
 * expired. Core would place the next order with them, without money; for another payment, or another total, it would ask their
 * provider to end them, which may be away, or refuse to cancel what is cancelled. So it is not asked.
 */
export async function removeSessions(container: MedusaContainer, ids: string[]): Promise<void> {
  await container.resolve<PaymentSessionRows>(Modules.PAYMENT).deletePaymentSessions(ids)
}

const MADE: string[] = [
  PaymentSessionStatus.AUTHORIZED,
  PaymentSessionStatus.CAPTURED,
  PaymentSessionStatus.PENDING_AUTHORIZATION,
]
