/** A reason that products have, and how many have it. */
export const reasonCountView = ({ code, count }: { code: string; count: number }) => ({
  code,
  count,
})
