/** Characters of a product's title that a row keeps for the lists of the admin, whoever writes the row. */
export const TITLE_LENGTH = 200
