/** What stands in for a lookup that failed, under the option `webhook_price` (gap 36). */
import { MarketStall, toldProduct, variant } from "../../../modules/svc/cart/__tests__/market-stall"
import type { CampaignProduct, StoreVariant } from "../../../modules/svc/cart/situation"
import { insteadOf } from "../look-up-prices"

const NAMES_OAT = { variantIds: ["mug-oat"], variantPrices: { "mug-oat": 119 } }
const NAMES_MOSS = { variantIds: ["mug-moss"], variantPrices: { "mug-moss": 119 } }

/** The amount, or the code of the refusal. */
function sold(
  code: "price_unavailable" | "variant_not_in_show",
  told: Partial<CampaignProduct>,
  changes: Partial<StoreVariant> = {},
) {
  const stall = new MarketStall()
  stall.variants = [variant({ sku: "MUG-OAT", ...changes })]
  stall.products = [toldProduct({ sku: "mug-handle", toldAt: stall.now, ...told })]
  const isSimple = changes.siblings === 1
  const answer = insteadOf(
    { ok: false, reason: { code } },
    {
      connectionId: "denmark",
      campaignUid: "show",
      productId: "mug",
      variantId: isSimple ? null : "mug-oat",
      otherForm: isSimple ? "mug-oat" : false,
    },
    stall.situation(),
    { whenPriceUnavailable: "webhook_price", priceHoldMinutes: 30 },
  )
  return answer.ok ? answer.price.amount : answer.reason.code
}

describe("a price that a delivery told, where the service is away", () => {
  it.each<[string, Partial<CampaignProduct>, Partial<StoreVariant>, number | string]>([
    ["the variant's own", NAMES_OAT, {}, 119],
    ["the product's, where the variant is named without one", { variantIds: ["mug-oat"] }, {}, 129],
    ["the product's, told for all variants", {}, {}, 129],
    ["the product's, told of this variant alone", { sku: "MUG-OAT" }, {}, 129],
    ["the product's, told of the only variant", { sku: "MUG-MOSS" }, { siblings: 1 }, 129],
    [
      "none: told before the only variant was made",
      {},
      { siblings: 1, wasThere: false },
      "price_unavailable",
    ],
    ["none: told before the variant was made", {}, { wasThere: false }, "price_unavailable"],
    ["its own, whenever it was made", NAMES_OAT, { wasThere: false }, 119],
    ["none: told of another variant alone", { sku: "MUG-MOSS" }, {}, "price_unavailable"],
    ["none: nothing says what it is of", { sku: null }, { handle: null }, "price_unavailable"],
    ["none: only others are named", NAMES_MOSS, {}, "price_unavailable"],
    ["none: only one that is gone is named", NAMES_MOSS, { siblings: 1 }, "price_unavailable"],
    [
      "none: others are named, under its sku",
      { ...NAMES_MOSS, sku: "MUG-OAT" },
      {},
      "price_unavailable",
    ],
  ])("is %s", (_what, told, changes, expected) => {
    expect(sold("price_unavailable", told, changes)).toBe(expected)
  })
})

it("a refusal of the variant yields to a price that was told for exactly this variant", () => {
  expect(sold("variant_not_in_show", NAMES_OAT)).toBe(119)
  expect(sold("variant_not_in_show", { ...NAMES_OAT, toldAt: 0 })).toBe("variant_not_in_show")
  expect(sold("variant_not_in_show", {})).toBe("variant_not_in_show")
  expect(sold("variant_not_in_show", NAMES_MOSS)).toBe("variant_not_in_show")
})
