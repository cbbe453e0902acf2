/**
 * Asks somebody else's code, the store's own or a payment provider's, which may wait for something that never comes.
 *
 * @throws Error with the words `late` where it has not answered in time, and whatever it throws
 */
export async function within<Answer>(
  limitMs: number,
  late: string,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  let limit: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(late)), limitMs)
  })
  try {
    return await Promise.race([ask(), isLate])
  } finally {
    clearTimeout(limit)
  }
}
