/** A reason that products have, and how many have it. */
export type ReasonCount = { code: string; count: number }
