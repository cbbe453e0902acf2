import { simple as payload } from "../../../../../integration-tests/setup/pushed-products"
import { canonicalHash, type PushedProduct } from "../../../../contract"
import type { SourceProduct } from "../../core-tables/store-products"
import { applyMapper, type ProductMapper } from "../product-mapper"
import type { ProductSnapshot } from "../product-snapshot"

const snapshot: ProductSnapshot = {
  kind: "for_sale",
  title: "Mug",
  mapped: { ok: true, payload, currency: "DKK", hash: canonicalHash(payload), note: null },
}
const connection = {
  id: "svccon_1",
  name: "Denmark",
  page_uid: "page",
  sales_channel_id: "sc",
  region_id: "reg",
}
const product = { id: "prod_1", title: "Mug", metadata: null } as unknown as SourceProduct

const apply = (mapper: unknown, timeoutMs = 50) =>
  applyMapper(mapper as ProductMapper, snapshot, { product, connection }, timeoutMs)
const payloadOf = (mapped: ProductSnapshot) =>
  mapped.kind === "for_sale" && mapped.mapped.ok ? mapped.mapped.payload : null
const problemOf = (mapped: ProductSnapshot) =>
  mapped.kind === "for_sale" && !mapped.mapped.ok ? mapped.mapped.reason : null

describe("a merchant's own mapper", () => {
  it("changes what is sent, and may add what the interface does not name", async () => {
    const mapped = await apply(
      (own: PushedProduct, context: { connection: { page_uid: string } }) => ({
        ...own,
        name: `${own.name} (${context.connection.page_uid})`,
        warranty: { years: 2 },
      }),
    )
    expect(payloadOf(mapped)).toEqual({ ...payload, name: "Mug (page)", warranty: { years: 2 } })
    expect(
      payloadOf(await apply(async (own: PushedProduct) => ({ ...own, price: 1 })))?.price,
    ).toBe(1)
  })

  it("may cut a text in the middle of a sign: half of one is stored nowhere, and would hold up the others", async () => {
    const mapped = await apply((own: PushedProduct) => ({ ...own, name: "Socks 🧶".slice(0, 7) }))
    expect(payloadOf(mapped)?.name).toBe("Socks \ufffd")
  })

  it("leaves a product out with null", async () => {
    expect(await apply(() => null)).toMatchObject({
      kind: "gone",
      reason: { code: "excluded_by_mapper" },
    })
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("no brand")
      },
      /no brand/,
    ],
    [
      "throws something that is no error",
      () => {
        throw "oops"
      },
      /oops/,
    ],
    [
      "rejects",
      async () => {
        throw new Error("late")
      },
      /late/,
    ],
    ["never answers", () => new Promise(() => {}), /no answer within/],
    ["returns nothing", () => undefined, /returned nothing/],
    ["returns a text", () => "product", /./],
    ["returns a list", () => [], /./],
    ["drops what the service needs", () => ({ id: "prod_1" }), /./],
    ["makes a price of a text", (own: PushedProduct) => ({ ...own, price: "100" }), /price/],
    ["changes the id", (own: PushedProduct) => ({ ...own, id: "other" }), /changed the id/],
    [
      "returns what is no JSON",
      (own: PushedProduct) => {
        const round: Record<string, unknown> = { ...own }
        round.self = round
        return round
      },
      /circular/i,
    ],
  ])("that %s concerns its product only, which says so", async (_, mapper, problem) => {
    const reason = problemOf(await apply(mapper))
    expect(reason?.code).toBe("mapper_failed")
    expect(reason?.params?.problem).toMatch(problem)
  })

  it("cannot change what others see by changing its arguments", async () => {
    await apply((own: { name: string }, context: { product: { title: string } }) => {
      own.name = "changed"
      context.product.title = "changed"
      return null
    })
    expect(payload.name).toBe("Mug")
    expect(product.title).toBe("Mug")
  })
})
