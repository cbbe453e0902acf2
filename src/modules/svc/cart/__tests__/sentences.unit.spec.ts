import { CART_CODES, type CartCode, type CartParams } from "../codes"
import { chooseLanguage, type Language, SENTENCES, sentenceOf } from "../sentences"

const languages = Object.keys(SENTENCES) as Language[]
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe("sentences for shoppers", () => {
  it("names the same parameters in every language", () => {
    for (const [key, english] of Object.entries(SENTENCES.en)) {
      for (const language of languages) {
        const text = SENTENCES[language][key as keyof typeof SENTENCES.en]
        expect([language, key, placeholders(text)]).toEqual([language, key, placeholders(english)])
      }
    }
  })

  it("is translated: no language says a sentence in English", () => {
    for (const language of languages.filter((each) => each !== "en")) {
      for (const [key, english] of Object.entries(SENTENCES.en)) {
        expect(SENTENCES[language][key as keyof typeof SENTENCES.en]).not.toBe(english)
      }
    }
  })

  it("leaves no placeholder open for any code", () => {
    const params = {
      quantity: 2,
      max: 3,
      seconds: 4,
      show_currency: "DKK",
      cart_currency: "EUR",
    }
    for (const language of languages) {
      for (const code of Object.keys(CART_CODES) as CartCode[]) {
        for (const limit of ["min", "max", "stock"] as const) {
          expect(sentenceOf({ code, params: { ...params, limit } }, language)).not.toMatch(/[{}]/)
        }
      }
    }
  })

  it.each<[string, string | null, string[], Language]>([
    ["the cart's locale first", "da-DK", ["de"], "da"],
    ["then what the browser accepts", null, ["fr-CH", "fr", "en"], "fr"],
    ["an unknown locale does not hide the browser's", "pt-BR", ["sv"], "sv"],
    ["both spellings of Norwegian", null, ["no"], "nb"],
    ["and the other written form", "nn_NO", [], "nb"],
    ["English where nothing fits", null, ["ja", "*"], "en"],
    ["English where nothing is said", null, [], "en"],
    ["no name of an object's own", "constructor", ["__proto__"], "en"],
  ])("takes %s", (_what, locale, accepted, language) => {
    expect(chooseLanguage(locale, accepted)).toBe(language)
  })

  it("says which limit it was", () => {
    expect(
      sentenceOf({ code: "quantity_limited", params: { limit: "max", quantity: 1, max: 3 } }, "en"),
    ).toBe("At most 3 per customer.")
    expect(
      sentenceOf({ code: "quantity_limited", params: { limit: "stock", quantity: 2 } }, "da"),
    ).toBe("Der er kun 2 tilbage.")
  })

  it("calls nothing sold out of which something is left, or in the basket", () => {
    const said = (params?: CartParams) =>
      sentenceOf({ code: "out_of_stock", ...(params ? { params } : {}) }, "en")
    expect(said()).toBe("This product is sold out.")
    expect(said({ limit: "min", quantity: 3 })).toBe(
      "This product is sold from 3 pieces, and fewer are left.",
    )
    expect(said({ limit: "stock", quantity: 0 })).toBe("No more are left than your basket has.")
  })

  it("asks nobody to try again what no other try helps", () => {
    expect(sentenceOf({ code: "price_too_low" }, "en")).not.toMatch(/again/)
  })
})
