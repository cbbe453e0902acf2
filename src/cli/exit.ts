/** How a command ends. Scripts and monitors read these, so a number never changes its meaning. */
export const EXIT = {
  ok: 0,
  /** Something is critical, or the store refused what was asked. */
  problem: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The store does not answer, or does not take the key. */
  unreachable: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What an error says. JavaScript lets anything be thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Ends a command: what happened, what to do, and how the process ends. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly fix: string,
    readonly exit: ExitCode,
  ) {
    super(message)
  }
}
