import type { CartCode, CartParams, CartReason } from "../codes"
import da from "./da.json"
import de from "./de.json"
import en from "./en.json"
import fr from "./fr.json"
import nb from "./nb.json"
import nl from "./nl.json"
import sv from "./sv.json"

/** Of every `CartCode` (`quantity_limited` and `out_of_stock` have one for each limit), and of refusals that a shopper may read. */
type SentenceKey = keyof typeof en

/** A language's sentences; `{{quantity}}` and the like stand for parameters (`CartParams`). */
type Sentences = Readonly<Record<SentenceKey, string>>

/** What shoppers are spoken to in, by ISO 639-1. */
export const SENTENCES = { en, da, de, sv, nb, nl, fr } as const satisfies Record<string, Sentences>

export type Language = keyof typeof SENTENCES

/** The language of a locale such as `da-DK` or `pt_BR`; null where we have none of it. */
function languageOf(locale: string): Language | null {
  const tag = locale.toLowerCase().split(/[-_]/)[0] ?? ""
  // Norwegian in its older and its other written form.
  const language = tag === "no" || tag === "nn" ? "nb" : tag
  return Object.hasOwn(SENTENCES, language) ? (language as Language) : null
}

/**
 * The language for an answer: the cart's locale, else the first that we have of those that the browser accepts; else English.
 *
 * @param accepted the most wanted first
 */
export function chooseLanguage(cartLocale: string | null, accepted: string[]): Language {
  const [known] = [cartLocale ?? "", ...accepted].flatMap((locale) => languageOf(locale) ?? [])
  return known ?? "en"
}

/** A sentence with its parameters filled in. */
export function sentence(key: SentenceKey, language: Language, params: CartParams = {}): string {
  const values = new Map(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return SENTENCES[language][key].replace(
    /\{\{(\w+)\}\}/g,
    (placeholder, name) => values.get(name) ?? placeholder,
  )
}

/** Whether shoppers have a sentence for a code. */
export const isSpoken = (code: string): code is SentenceKey => Object.hasOwn(SENTENCES.en, code)

function sentenceKey(code: CartCode, limit: CartParams["limit"]): SentenceKey {
  if (code === "quantity_limited") return `quantity_limited_${limit ?? "max"}`
  if (code === "out_of_stock" && limit && limit !== "max") return `out_of_stock_${limit}`
  return code
}

/** The sentence of a reason. */
export function sentenceOf({ code, params }: CartReason, language: Language): string {
  return sentence(sentenceKey(code, params?.limit), language, params)
}
