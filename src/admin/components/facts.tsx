import { SectionRow } from "@medusajs/dashboard/components"
import type { ReactNode } from "react"
import { type TextKey, useText } from "../hooks/use-text"

type FactsProps = { of: Partial<Record<TextKey, ReactNode>> }

/** Rows of a card: what stands on the left is a text by its path. A fact that is null or false has no row. */
export const Facts = ({ of }: FactsProps) => {
  const { t } = useText()
  // The names of an object are its type's; TypeScript forgets that.
  const facts = Object.entries(of) as [TextKey, ReactNode][]
  return facts.map(
    ([label, value]) =>
      value !== null &&
      value !== undefined &&
      value !== false && <SectionRow key={label} title={t(label)} value={value} />,
  )
}
