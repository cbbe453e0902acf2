/** What an error says, for a sentence or a log. JavaScript lets anything be thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
