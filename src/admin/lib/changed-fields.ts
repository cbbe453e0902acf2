/**
 * The fields that are not as they were before. A form sends these alone: one that was opened long ago still has what
 * somebody else has changed since, and would put it back.
 */
export const changedFields = <Values extends object>(
  values: Values,
  before: object,
): Partial<Values> => {
  const texts = new Map(Object.entries(before).map(([name, value]) => [name, textOf(value)]))
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => textOf(value) !== texts.get(name)),
  ) as Partial<Values>
}

/** The database keeps the names of an object in an order of its own. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
