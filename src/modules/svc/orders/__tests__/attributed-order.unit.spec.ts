import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { attributeOrder, type CartLine, type MetNumber, type PlacedLine } from "../attributed-order"

const PLACED_AT = new Date("2026-11-21T20:00:00Z")
const later = (seconds: number) => new Date(PLACED_AT.getTime() + seconds * 1000)

const number = (orderNo: string, changes: Partial<MetNumber> = {}): MetNumber => ({
  orderNo,
  campaignUid: "show",
  connectionId: "svccon_1",
  page: "page",
  usedAt: later(-60),
  ...changes,
})
type Copied = Partial<Pick<CartLine, "variantId" | "quantity" | "unitPrice" | "metadata">>
const copied = (changes: Copied) => ({
  variantId: "mug",
  title: "Mug",
  quantity: "1",
  unitPrice: "79",
  isTaxInclusive: true,
  metadata: '{"svc_campaign_uid": "show"}',
  ...changes,
})
/** A line of the cart that a show prices. */
const cartLine = (
  id: string,
  orderNo: string | null,
  changes: Copied & { campaignUid?: string; isCustomPrice?: boolean } = {},
): CartLine => {
  const { campaignUid = "show", isCustomPrice = true, ...rest } = changes
  const line = copied(rest)
  return {
    ...line,
    id,
    isCustomPrice,
    proof:
      orderNo === null
        ? null
        : {
            connectionId: "svccon_1",
            campaignUid,
            orderNo,
            price: line.unitPrice,
            isTaxInclusive: true,
            fetchedAt: later(-600),
            expiresAt: later(1200),
          },
  }
}
const placedLine = (id: string, changes: Copied = {}): PlacedLine => ({
  ...copied(changes),
  id,
  productId: "prod",
})
const attribute = (numbers: MetNumber[], cart: CartLine[], placed: PlacedLine[]) =>
  attributeOrder({ numbers, cart, placed })

describe("the order numbers that an order is reported under (gap 48)", () => {
  it("leaves out an earlier number whose lines are gone", () => {
    const { numbers } = attribute(
      [number("A", { usedAt: later(-90) }), number("B")],
      [cartLine("c2", "B", { variantId: "cup" })],
      [placedLine("o2", { variantId: "cup" })],
    )
    expect(numbers.map(({ orderNo }) => orderNo)).toEqual(["B"])
  })

  it("is none for a cart that met no show", () => {
    expect(attribute([], [], [placedLine("o1")])).toEqual({ numbers: [], lines: [] })
  })
})

describe("the lines that a show sold", () => {
  it("are told apart where two shows sell the same thing at one price", () => {
    const two = [
      { metadata: '{"svc_campaign_uid": "one"}' },
      { metadata: '{"svc_campaign_uid": "two"}' },
    ]
    const { lines } = attribute(
      [number("A", { campaignUid: "one" }), number("B", { campaignUid: "two" })],
      two.map((metadata, index) =>
        cartLine(`c${index}`, index === 0 ? "A" : "B", {
          ...metadata,
          campaignUid: index === 0 ? "one" : "two",
        }),
      ),
      // In another order than in the cart.
      [placedLine("o2", two[1]), placedLine("o1", two[0])],
    )
    expect(lines.map(({ lineId, proof }) => [lineId, proof.campaignUid])).toEqual([
      ["o1", "one"],
      ["o2", "two"],
    ])
  })

  it("are none at the catalog price, whatever their metadata says", () => {
    const { lines } = attribute(
      [number("A")],
      [
        cartLine("c1", null, { isCustomPrice: false }),
        cartLine("c2", "A", { variantId: "cup", isCustomPrice: false }),
      ],
      [placedLine("o1"), placedLine("o2", { variantId: "cup" })],
    )
    expect(lines).toEqual([])
  })

  it("are known also where the variant was deleted while its shopper paid: the order's line has none", () => {
    const { lines } = attribute(
      [number("A")],
      [cartLine("c1", "A")],
      [placedLine("o1", { variantId: null })],
    )
    expect(lines.map(({ lineId }) => lineId)).toEqual(["o1"])
  })

  it("take no other line's place where other code changed the order while it placed it", () => {
    const { lines } = attribute(
      [number("A")],
      [
        cartLine("c1", "A"),
        cartLine("c2", null, { isCustomPrice: false, unitPrice: "99", metadata: "{}" }),
      ],
      [
        placedLine("o2", { unitPrice: "99", metadata: "{}" }),
        placedLine("o1", { unitPrice: "70" }),
      ],
    )
    expect(lines.map(({ lineId }) => lineId)).toEqual(["o1"])
  })
})

describe("whatever carts and orders look like", () => {
  const VARIANTS = ["v1", "v2", "v3"]
  const SHOWS = ["s1", "s2"]
  const ORDER_NOS = ["A", "B", "C"]

  const sold = fc.array(
    fc.record({
      variantId: fc.constantFrom(...VARIANTS, null),
      campaignUid: fc.constantFrom(...SHOWS),
      orderNo: fc.constantFrom(...ORDER_NOS, null),
      quantity: fc.integer({ min: 1, max: 3 }).map(String),
      unitPrice: fc.constantFrom("79", "99.5"),
      isCustomPrice: fc.boolean(),
      kept: fc.boolean(),
      variantDeleted: fc.boolean(),
      place: fc.integer(),
    }),
    { maxLength: 7 },
  )
  // The service may give one number for several shows.
  const met = fc.subarray(
    ORDER_NOS.flatMap((orderNo) => SHOWS.map((campaignUid) => ({ orderNo, campaignUid }))),
    { minLength: 1 },
  )

  it("each line is sold once at most, by its own proof, and each campaign has one number", () => {
    let judged = 0
    let withoutVariant = 0
    /** A line without a variant is none of a show's. */
    const metadataOf = ({
      variantId,
      campaignUid,
    }: {
      variantId: string | null
      campaignUid: string
    }) => (variantId === null ? "{}" : `{"svc_campaign_uid": "${campaignUid}"}`)
    fc.assert(
      fc.property(met, sold, (numbered, all) => {
        const cart = all.map((each, index) =>
          cartLine(`c${index}`, each.orderNo, {
            ...each,
            metadata: metadataOf(each),
          }),
        )
        const placed = all
          .map((each, index) => ({ each, index }))
          .filter(({ each }) => each.kept)
          .sort((a, b) => a.each.place - b.each.place)
          .map(({ each, index }) =>
            placedLine(`o${index}`, {
              ...each,
              variantId: each.variantDeleted ? null : each.variantId,
              metadata: metadataOf(each),
            }),
          )
        const { lines, numbers } = attribute(
          numbered.map(({ orderNo, campaignUid }, index) =>
            number(orderNo, { campaignUid, usedAt: later(-index) }),
          ),
          cart,
          placed,
        )
        expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(lines.length)
        const byId = new Map(placed.map((line) => [line.id, line]))
        for (const { lineId, proof, variantId } of lines) {
          expect(byId.get(lineId)?.variantId).toBe(variantId)
          const own = cart.find((line) => line.proof === proof)?.variantId
          if (variantId === null) withoutVariant += 1
          else expect(own).toBe(variantId)
          expect(own).toEqual(expect.any(String))
        }
        const campaigns = numbers.map(({ campaignUid }) => campaignUid)
        expect(new Set(campaigns).size).toBe(campaigns.length)
        for (const { campaignUid, hasShowLines } of numbers) {
          expect(hasShowLines).toBe(lines.some(({ proof }) => proof.campaignUid === campaignUid))
        }
        for (const { proof } of lines) {
          const isMet = numbered.some(
            ({ orderNo, campaignUid }) =>
              orderNo === proof.orderNo && campaignUid === proof.campaignUid,
          )
          expect(campaigns.includes(proof.campaignUid) || !isMet).toBe(true)
        }
        expect(numbers[0]).toMatchObject(numbered[0] ?? {})
        judged += lines.length
      }),
      runs(2_000),
    )
    expect(judged).toBeGreaterThan(500)
    expect(withoutVariant).toBeGreaterThan(100)
  })
})
