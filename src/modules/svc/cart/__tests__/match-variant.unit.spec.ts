import fc from "fast-check"
import { runs } from "../../../../../integration-tests/setup/generated"
import { type Candidate, matchVariant, type ProductRef } from "../match-variant"

const candidate = (variantId: string, changes: Partial<Candidate> = {}): Candidate => ({
  variantId,
  sku: `SKU-${variantId}`,
  productId: "prod_mug",
  forSale: true,
  ...changes,
})
const mug = candidate("variant_mug")
const red = candidate("variant_red", { productId: "prod_tee" })
const blue = candidate("variant_blue", { productId: "prod_tee" })
const store = [mug, red, blue]

const found = (ref: ProductRef, candidates: Candidate[] = store): string => {
  const match = matchVariant(ref, candidates)
  return "code" in match ? match.code : match.variantId
}

describe("the variant that a cart action means (gap 38)", () => {
  it.each<[string, ProductRef, string]>([
    ["a product of one variant", { product_id: "prod_mug" }, "variant_mug"],
    ["a variant's id", { product_id: "variant_red" }, "variant_red"],
    ["a sku", { product_id: "SKU-variant_blue" }, "variant_blue"],
    [
      "a product and its variant",
      { product_id: "prod_tee", variant_id: "variant_blue" },
      "variant_blue",
    ],
    [
      "a product and its variant's sku as the variant",
      { product_id: "prod_tee", variant_id: "SKU-variant_red" },
      "variant_red",
    ],
    ["a product and a sku", { product_id: "prod_tee", sku: "SKU-variant_red" }, "variant_red"],
    [
      "an unknown product beside a known sku",
      { product_id: "svc-77", sku: "SKU-variant_red" },
      "variant_red",
    ],
    [
      "an unknown product beside a known variant",
      { product_id: "svc-77", variant_id: "variant_red" },
      "variant_red",
    ],
    [
      "a product of one variant, and a variant said to be null",
      { product_id: "prod_mug", variant_id: null, sku: null },
      "variant_mug",
    ],
  ])("is found by %s", (_what, ref, variantId) => {
    expect(found(ref)).toBe(variantId)
  })

  it.each<[string, ProductRef, string]>([
    ["of a product with several", { product_id: "prod_tee" }, "variant_required"],
    [
      "of a product with several, and a foreign sku",
      { product_id: "prod_tee", sku: "SKU-variant_mug" },
      "variant_required",
    ],
    ["nobody knows", { product_id: "prod_gone" }, "product_not_found"],
    [
      "nobody knows of a product that is there",
      { product_id: "prod_mug", variant_id: "variant_gone" },
      "product_not_found",
    ],
    [
      "of another product",
      { product_id: "prod_mug", variant_id: "variant_red" },
      "product_not_found",
    ],
    [
      "of another product than the one named by its sku",
      { product_id: "SKU-variant_mug", variant_id: "variant_red" },
      "product_not_found",
    ],
    [
      "of another product than the one named by its variant",
      { product_id: "variant_mug", variant_id: "variant_red" },
      "product_not_found",
    ],
    ["with an empty name", { product_id: "" }, "product_not_found"],
  ])("is never guessed: one %s", (_what, ref, code) => {
    expect(found(ref)).toBe(code)
  })

  it("is the product's before another's variant, and a variant's id before another's sku", () => {
    const confusing = [
      candidate("variant_1", { productId: "X", sku: "A" }),
      candidate("X", { productId: "P2", sku: "B" }),
      candidate("variant_3", { productId: "P3", sku: "X" }),
    ]
    expect(found({ product_id: "X" }, confusing)).toBe("variant_1")
    expect(found({ product_id: "X" }, confusing.slice(1))).toBe("X")
    expect(found({ product_id: "X" }, confusing.slice(1).reverse())).toBe("X")
    expect(found({ product_id: "X" }, confusing.slice(2))).toBe("variant_3")
  })

  it("does not confuse a missing sku with a missing one asked for", () => {
    const nameless = candidate("variant_9", { productId: "prod_9", sku: null })
    expect(found({ product_id: "null", sku: null }, [nameless])).toBe("product_not_found")
    expect(found({ product_id: "prod_9" }, [nameless])).toBe("variant_9")
  })

  it("says of one that is not published or in another channel that it is not for sale", () => {
    expect(found({ product_id: "prod_mug" }, [{ ...mug, forSale: false }])).toBe("not_for_sale")
  })

  it("is one that was named, whatever is asked", () => {
    const known = store.flatMap(({ variantId, productId, sku }) => [
      variantId,
      productId,
      sku ?? "",
    ])
    const name = fc.option(fc.constantFrom(...known, "x"), { nil: undefined })
    const refs = fc.record({
      product_id: fc.constantFrom(...known, "x", "y"),
      variant_id: name,
      sku: name,
    })
    let matched = 0
    fc.assert(
      fc.property(refs, (ref) => {
        const match = matchVariant(ref, store)
        if ("code" in match) return
        matched += 1
        const { variantId, productId, sku } = match
        expect(
          [ref.product_id, ref.variant_id, ref.sku].some((each) =>
            [variantId, productId, sku].includes(each ?? ""),
          ),
        ).toBe(true)
        if (ref.variant_id) expect([variantId, sku]).toContain(ref.variant_id)
        // Where the product is one of the store's, nothing of another product is sold for it.
        const named = store.find((each) =>
          [each.productId, each.variantId, each.sku].includes(ref.product_id),
        )
        if (named) expect(productId).toBe(named.productId)
      }),
      runs(5_000),
    )
    expect(matched).toBeGreaterThan(500)
  })
})
