export type Binding = string | number | Date | string[]

/** What a list is narrowed by: any of some values of each column. */
export type Filtered<Names extends readonly string[]> = Partial<Record<Names[number], string[]>> & {
  /** What a person typed, escaped for `LIKE`. */
  q?: string
  from?: Date
  /** Before it. */
  to?: Date
}

/** What the rows of a list must meet: SQL, and its values in the order of their question marks. */
export class Conditions {
  readonly bindings: Binding[] = []
  readonly #all: string[]

  /** @param row the name by which the statement calls a row; deleted ones are left out */
  constructor(private readonly row: string) {
    this.#all = [`${row}.deleted_at IS NULL`]
  }

  get where(): string {
    return this.#all.join(" AND ")
  }

  and(condition: string, ...values: Binding[]): this {
    this.#all.push(condition)
    this.bindings.push(...values)
    return this
  }

  /** Of each column that is filtered by: one of the given values. */
  oneOf<Name extends string>(
    names: readonly Name[],
    filters: Partial<Record<Name, string[]>>,
  ): this {
    for (const name of names) {
      const wanted = filters[name]
      if (wanted) this.and(`${this.row}.${name} = ANY(?)`, wanted)
    }
    return this
  }

  /** Each word that a person typed, if any, is somewhere in the columns, as Medusa's own lists search. */
  contain(columns: readonly string[], q = ""): this {
    for (const word of q.split(/\s+/).filter(Boolean)) {
      this.and(`${asOneText(columns)} LIKE lower(?)`, `%${word}%`)
    }
    return this
  }

  /** From a moment, and before another. */
  within(column: string, { from, to }: { from?: Date; to?: Date }): this {
    if (from) this.and(`${this.row}.${column} >= ?`, from)
    if (to) this.and(`${this.row}.${column} < ?`, to)
    return this
  }
}

/**
 * SQL: columns as one text in small letters, to compare with `lower(?)`: all of them are read once, and not again for each
 * column. A line break stands between them, which nobody can type into a search.
 */
export const asOneText = (columns: readonly string[]): string =>
  `lower(${columns.map((column) => `coalesce(${column}, '')`).join(" || E'\\n' || ")})`
