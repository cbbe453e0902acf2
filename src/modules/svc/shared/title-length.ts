/** Characters of a product's title that a row keeps for the lists of the admin, whoever writes the row. */
export const TITLE_LENGTH = 200

/** As much of a title as the row keeps: whole signs, as Postgres' `left` counts them. Half of one is no text. */
export const shortTitle = (title: string): string =>
  title.length <= TITLE_LENGTH
    ? title
    : Array.from(title.slice(0, 2 * TITLE_LENGTH))
        .slice(0, TITLE_LENGTH)
        .join("")
