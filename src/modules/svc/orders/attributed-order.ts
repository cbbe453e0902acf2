import { type CopiedLine, matchLines } from "./match-lines"
import type { OrderSnapshot } from "./order-snapshot"

/** An order number that the order's cart met. */
export type MetNumber = {
  orderNo: string
  campaignUid: string
  connectionId: string
  /** The page that gave it (`pageOf`). */
  page: string
  usedAt: Date
}

/** The proof of a show's price on a line of the cart. Amounts are decimal texts in major units. */
type Proof = {
  connectionId: string
  campaignUid: string
  orderNo: string
  price: string
  isTaxInclusive: boolean
  fetchedAt: Date
  expiresAt: Date
}

/** A line of the cart that became the order. */
export type CartLine = CopiedLine & {
  /** False where it went back to the catalog price, if its proof was not forgotten yet. */
  isCustomPrice: boolean
  proof: Proof | null
}

/** A line of the order. */
export type PlacedLine = CopiedLine & { productId: string | null }

/** A line that was sold at a show's price. */
export type AttributedLine = {
  lineId: string
  productId: string | null
  variantId: string | null
  unitPrice: string
  proof: Proof
}

/** What the service is told about one order: a number, and whether something was sold at its campaign's price. */
export type AttributedNumber = Omit<MetNumber, "usedAt"> & { hasShowLines: boolean }

export type AttributedOrder = {
  lines: AttributedLine[]
  numbers: AttributedNumber[]
}

/**
 * Decides which lines of a placed order a show sold, by our own proofs, and which order numbers the order is reported
 * under: of each campaign the latest that a line was priced under, and the latest of the basket in any case. One for each
 * campaign: two sessions of one shopper in one show are one conversion (gap 48). The lines' own metadata is not believed:
 * shoppers can write it. Pure.
 */
export function attributeOrder(input: {
  numbers: MetNumber[]
  cart: CartLine[]
  placed: PlacedLine[]
}): AttributedOrder {
  const { numbers, cart, placed } = input
  const became = matchLines(cart, placed)
  const byId = new Map(placed.map((line) => [line.id, line]))
  const sold = cart.flatMap(({ id, isCustomPrice, proof }) => {
    const line = byId.get(became.get(id) ?? "")
    return isCustomPrice && proof && line ? [{ proof, line }] : []
  })

  const latestFirst = [...numbers].sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime())
  const asked = latestFirst.filter(
    (number, index) => index === 0 || sold.some(({ proof }) => isUnder(number, proof)),
  )
  const told = asked.filter(
    (number, index) => asked.findIndex((other) => isOfCampaign(number, other)) === index,
  )
  return {
    lines: sold.map(({ proof, line }) => ({
      lineId: line.id,
      productId: line.productId,
      variantId: line.variantId,
      unitPrice: line.unitPrice,
      proof,
    })),
    numbers: told.map(({ usedAt, ...number }) => ({
      ...number,
      hasShowLines: sold.some(({ proof }) => isOfCampaign(number, proof)),
    })),
  }
}

/** The lines of an order as they were when it was placed: at its first version, which other code may call another one than 1. */
export function linesAsPlaced({ lines }: Pick<OrderSnapshot, "lines">): PlacedLine[] {
  const first = Math.min(...lines.flatMap((line) => line.versions.map(({ version }) => version)))
  return lines.flatMap(({ versions, ...line }) =>
    versions
      .filter(({ version }) => version === first)
      .map(({ quantity, unitPrice }) => ({
        ...line,
        quantity,
        unitPrice: unitPrice ?? line.unitPrice,
      })),
  )
}

type OfCampaign = { campaignUid: string; connectionId: string }
const isOfCampaign = (one: OfCampaign, other: OfCampaign): boolean =>
  one.campaignUid === other.campaignUid && one.connectionId === other.connectionId

/** The service may give one number for several campaigns, and two services may give the same one. */
const isUnder = (number: MetNumber, proof: Proof): boolean =>
  proof.orderNo === number.orderNo && isOfCampaign(number, proof)
