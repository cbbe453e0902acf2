/** Exact text of a decimal number, as Medusa keeps it. */
const rawText = (value: string): string => JSON.stringify({ value, precision: 20 })

/** Both columns of each of some decimal numbers, by name. */
export const bigNumberColumns = (numbers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([name, text]) => [
      [name, text],
      [`raw_${name}`, rawText(text)],
    ]),
  )

/**
 * Medusa keeps a big number in two columns: the number, and its exact text in a `raw_` column beside it. The generated
 * service methods write both; our own statements write the second with this.
 */
export const rawNumber = (value: number | null): { value: string; precision: number } | null =>
  value === null ? null : { value: String(value), precision: 20 }

/** SQL of the same, from the column beside it. */
export const rawNumberSql = (column: string): string =>
  `CASE WHEN ${column} IS NULL THEN NULL ELSE jsonb_build_object('value', ${column}::text, 'precision', 20) END`
