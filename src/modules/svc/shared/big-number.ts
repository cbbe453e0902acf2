/** Exact text of a decimal number, as Medusa keeps it. */
export const rawText = (value: string): string => JSON.stringify({ value, precision: 20 })

/**
 * Medusa keeps a big number in two columns: the number, and its exact text in a `raw_` column beside it. The generated
 * service methods write both; our own statements write the second with this.
 */
export const rawNumber = (value: number | null): string | null =>
  value === null ? null : rawText(String(value))
