import fc from "fast-check"
import { runs } from "../../../integration-tests/setup/generated"
import { contradictionIn, readCampaignPrice } from ".."

/** Bodies come as JSON, so the cases are written as JSON: `1e999` and `-0` exist there. */
const answer = (json: string) => readCampaignPrice(JSON.parse(json))

describe("a campaign price that can be proven (gap 33)", () => {
  it("is read in the documented spelling", () => {
    expect(
      answer('{"price":129,"discount":20,"vat":{"rate":25,"included":true},"currency":"DKK"}'),
    ).toEqual({
      amount: 129,
      discount: 20,
      vat: { rate: 25, included: true },
      currency: "dkk",
    })
  })

  it.each(
    Object.entries({
      flat: '{"campaignPrice":129,"vatRate":25,"vatIncluded":true,"currencyCode":"DKK"}',
      "decimal strings": '{"price":"129.00","vat":{"rate":"25","included":true},"currency":"DKK"}',
      wrapped: '{"data":{"price":129,"vat":{"rate":25,"included":true},"currency":"dkk"}}',
      "an amount": '{"price":{"amount":129,"currency":"DKK"},"vat":{"rate":25,"included":true}}',
      "an amount with a currency code":
        '{"price":{"value":129,"currencyCode":"DKK"},"tax":{"percent":25,"inclusive":true}}',
      "an object that names the campaign's":
        '{"campaignPrice":{"amount":129,"currency":"dkk"},"vat":{"rate":25,"included":true}}',
      "an object in the price, with its tax":
        '{"price":{"amount":189,"campaign_price":{"value":129,"currency":"DKK","vat":{"rate":25,"included":true}}}}',
      "snake case":
        '{"campaign_price":129,"vat_rate":25,"vat_included":true,"currency_code":"DKK"}',
      spaces: '{"price":" 129 ","vat":{"rate":25,"included":true},"currency":" DKK "}',
      "the price wrapped, its currency and tax outside":
        '{"data":{"price":129},"currency":"DKK","vat":{"rate":25,"included":true}}',
      "null inside, what is right outside":
        '{"data":{"price":129,"currency":null,"vat":null},"currency":"DKK","vat":{"rate":25,"included":true}}',
      "wrapped twice":
        '{"result":{"data":{"price":129,"vat":{"rate":25,"included":true},"currency":"dkk"}}}',
      "the same currency and basis twice":
        '{"price":{"amount":129,"currency":"dkk","vat":{"included":true}},"currency":"DKK","vat":{"rate":25,"included":1},"vatIncluded":"1"}',
      "no errors, as a list":
        '{"price":129,"error":[],"vat":{"rate":25,"included":true},"currency":"DKK"}',
      "an exponent and a sign, as text":
        '{"price":"+1.29e2","vat":{"rate":25,"included":true},"currency":"DKK"}',
      "true in words": '{"price":129,"vat":{"rate":25,"included":"True"},"currency":"DKK"}',
    }),
  )("is read in another spelling: %s", (_what, json) => {
    expect(answer(json)).toMatchObject({
      amount: 129,
      vat: { rate: 25, included: true },
      currency: "dkk",
    })
  })

  it.each([
    ["a named price beside a plain one", '{"price":189,"campaignPrice":129,"discount":60}'],
    ["wrapped", '{"data":{"campaignPrice":129},"price":189}'],
    ["beside an amount", '{"price":{"amount":189,"campaignPrice":129}}'],
    ["the same price twice", '{"price":129,"amount":"129.00"}'],
    ["an object beside a plain one", '{"price":189,"campaignPrice":{"amount":129}}'],
    ["an empty name beside it", '{"price":129,"campaignPrice":null}'],
  ])("is the campaign's where something names it: %s", (_what, json) => {
    expect(answer(json)?.amount).toBe(129)
  })

  it("may be zero, and is then plain zero", () => {
    for (const json of ['{"price":0}', '{"price":-0}', '{"price":"-0.00"}', '{"price":"0"}']) {
      expect(Object.is(answer(json)?.amount, 0)).toBe(true)
    }
  })

  it("may stand alone: basis and currency are then the connection's (gaps 34, 35)", () => {
    expect(answer('{"price":9.95}')).toEqual({
      amount: 9.95,
      discount: null,
      vat: { rate: null, included: null },
      currency: null,
    })
    expect(answer('{"price":9.95,"currency":null,"vat":null}')).toEqual(answer('{"price":9.95}'))
    expect(answer('{"price":9.95,"currency":"","vat":{}}')).toEqual(answer('{"price":9.95}'))
  })
})

describe("an answer without a provable price sells nothing (gap 33)", () => {
  it.each(
    Object.entries({
      nothing: "null",
      "a bare number": "129",
      "a list": '[{"price":129}]',
      "a list of answers": '{"data":[{"price":129}]}',
      "no price": "{}",
      null: '{"price":null}',
      "empty text": '{"price":""}',
      "a unit": '{"price":"129 kr"}',
      "a decimal comma": '{"price":"12,95"}',
      hexadecimal: '{"price":"0x10"}',
      "full-width digits": '{"price":"\uff11\uff12"}',
      "NaN in words": '{"price":"NaN"}',
      "a number too large for JSON": '{"price":1e999}',
      "more digits than a number can hold": `{"price":"${"9".repeat(400)}"}`,
      true: '{"price":true}',
      "a list of one": '{"price":[129]}',
      "an amount in an amount": '{"price":{"amount":{"amount":129}}}',
      "less than zero": '{"price":-1}',
      "less than zero beside another": '{"price":-1,"amount":129}',
      "another price beside it, and nothing says which": '{"price":189,"amount":129}',
      "another price outside, and nothing says which": '{"data":{"price":129},"price":189}',
      "a page's currency beside the price's":
        '{"price":{"amount":129,"currency":"EUR"},"currency":"DKK"}',
      "a page's currency beside a named price's":
        '{"price":{"campaignPrice":129,"currency":"EUR"},"currency":"DKK"}',
      "one currency inside, another outside":
        '{"data":{"price":129,"currency":"EUR"},"currency":"DKK"}',
      "two currencies side by side": '{"price":129,"currency":"DKK","currencyCode":"EUR"}',
      "two tax bases": '{"price":129,"vat":{"included":true},"priceIncludesVat":false}',
      "one basis inside, another outside":
        '{"data":{"price":129,"vat":{"included":true}},"vat":{"included":false}}',
      "VAT in it, tax not": '{"price":129,"vat":{"included":true},"tax":{"included":false}}',
      "a failure by a word": '{"status":"error","price":129}',
      "a failure by a status": '{"status":"422","price":129}',
      "a failure around it": '{"success":"false","data":{"success":true,"price":129}}',
      "errors beside it": '{"price":129,"errors":["not in the campaign"]}',
      "two different named prices": '{"campaignPrice":129,"campaign_price":119}',
      "a named price that is empty": '{"price":189,"campaignPrice":{}}',
      "a named price with another in it": '{"campaignPrice":{"amount":129,"campaignPrice":119}}',
      "a named price with two amounts": '{"campaignPrice":{"amount":129,"value":119}}',
      "a page's currency beside a named price's own":
        '{"campaignPrice":{"amount":129,"currency":"EUR"},"currency":"DKK"}',
      "a named price that cannot be read": '{"price":189,"campaignPrice":"129 kr"}',
      "an error beside it": '{"price":0,"error":{"code":"not_in_campaign"}}',
      "a failure beside it": '{"success":false,"price":0}',
    }),
  )("%s", (_what, json) => {
    expect(answer(json)).toBeNull()
  })

  it.each([
    ["a symbol", '{"price":129,"currency":"kr"}'],
    ["a number", '{"price":129,"currency":208}'],
    ["an object", '{"price":129,"currency":{"symbol":"$"}}'],
    ["a tax basis", '{"price":129,"vat":{"rate":25,"included":"partly"}}'],
  ])("a price with something beside it that cannot be read: %s", (_what, json) => {
    // Sold as the connection's currency, 129 of something would become 129 of something else.
    expect(answer(json)).toBeNull()
  })
})

it("says which fields contradict each other", () => {
  expect(contradictionIn({ price: 189, amount: 129 })).toBe("price 189, amount 129")
  expect(contradictionIn({ data: { price: { value: 1 } }, price: 2 })).toBe(
    "price 2, data.price.value 1",
  )
  expect(contradictionIn({ price: { amount: 129, currency: "EUR" }, currency: "DKK" })).toBe(
    'currency "DKK", price.currency "EUR"',
  )
  expect(contradictionIn({ price: 189, campaignPrice: 129 })).toBeNull()
  expect(contradictionIn({ price: "129.00", amount: 129 })).toBeNull()
})

describe("currency and VAT of a campaign price", () => {
  it("takes the currency from wherever it is written, an empty field aside", () => {
    expect(answer('{"price":129,"currency":"","currencyCode":"EUR"}')?.currency).toBe("eur")
    expect(answer('{"price":129,"currency":{"code":"EUR"}}')?.currency).toBe("eur")
    expect(answer('{"price":{"amount":129,"currency":"EUR"}}')?.currency).toBe("eur")
  })

  it("keeps 'not included' whichever way it is said", () => {
    for (const tax of [
      '"tax":{"included":false}',
      '"taxIncluded":"false"',
      '"price":{"vat":{"included":0}}',
    ])
      expect(answer(`{"amount":100,"vat":{"rate":25},${tax}}`)?.vat.included).toBe(false)
    for (const vat of ['{"included":false}', '{"included":"false"}', '{"inclusive":false}']) {
      expect(answer(`{"price":129,"vat":${vat}}`)?.vat.included).toBe(false)
    }
  })

  it.each<[string, string, (number | null)?]>([
    ["less than nothing", "-25"],
    ["more than everything", "2500"],
    ["a fraction that may mean 25 %", "0.25"],
    ["words", '"high"'],
    ["zero, which is one", "0", 0],
  ])("does not use a rate that is no percentage: %s", (_what, rate, read = null) => {
    expect(answer(`{"price":129,"vat":{"rate":${rate},"included":true}}`)?.vat).toEqual({
      rate: read,
      included: true,
    })
  })
})

describe("whatever the service answers", () => {
  it("a price read from it is a finite number of zero or more in a real currency or none", () => {
    const name = fc.constantFrom(
      ...["price", "amount", "value", "campaignPrice", "unitPrice", "currency", "currencyCode"],
      ...["vat", "rate", "included", "tax", "discount", "data", "result", "vatIncluded", "error"],
    )
    const leaf = fc.constantFrom<unknown>(
      ...[0, -1, 12.5, 1e308, "12", "-3", "1e3", "", null, true, false, "DKK", "€", [], {}, [5]],
    )
    const { body } = fc.letrec<{ body: Record<string, unknown>; value: unknown }>((tie) => ({
      body: fc.dictionary(name, tie("value"), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
      value: fc.oneof(
        { maxDepth: 3 },
        { weight: 3, arbitrary: leaf },
        { weight: 2, arbitrary: tie("body") },
      ),
    }))
    let read = 0
    fc.assert(
      fc.property(body, (answer) => {
        const price = readCampaignPrice(answer)
        if (!price) return
        read += 1
        const { amount, vat, currency } = price
        expect(Number.isFinite(amount) && amount >= 0).toBe(true)
        expect(vat.rate === null || (vat.rate >= 0 && vat.rate <= 100)).toBe(true)
        expect([true, false, null]).toContain(vat.included)
        expect(currency === null || /^[a-z]{3}$/.test(currency)).toBe(true)
      }),
      runs(20_000),
    )
    // Else the property would hold because nothing is ever read.
    expect(read).toBeGreaterThan(500)
  })
})
