/** A machine that stands still lets time pass in which the shop could do nothing: so often at least is looked. */
export const LEAST_LOOKS = 4
