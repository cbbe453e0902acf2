/** Why a store does not start, as a message for people instead of a stack. */
export class StartError extends Error {}
