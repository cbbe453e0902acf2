import { useCallback } from "react"
import { useTranslation } from "react-i18next"
import type en from "../i18n/json/en.json"
import { localeOf } from "../lib/format"

/** The plugin's texts live in a namespace of their own, beside Medusa's. */
export const TEXTS = "svc"

type Leaves<Tree, Prefix extends string = ""> = {
  [Name in keyof Tree & string]: Tree[Name] extends string
    ? `${Prefix}${Name}`
    : Leaves<Tree[Name], `${Prefix}${Name}.`>
}[keyof Tree & string]

type WithoutPlural<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other`
  ? Base
  : Key

/** Every text of the plugin by its path. A misspelt path does not compile. */
export type TextKey = WithoutPlural<Leaves<typeof en>>

export type Text = (key: TextKey, values?: Record<string, string | number>) => string

/** The plugin's texts in the language of the admin, and the locale for numbers and times. */
export function useText(): { t: Text; locale: string } {
  const { t: translate, i18n } = useTranslation(TEXTS)
  const t = useCallback<Text>((key, values) => String(translate(key, values ?? {})), [translate])
  return { t, locale: localeOf(i18n.language) }
}
