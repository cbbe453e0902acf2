/** A rule of the referee, and what it says about it. */

export type Verdict = "kept" | "broken" | "undecided"
export type Judgement = { verdict: Verdict; evidence: string }

export type Finding = Judgement & {
  /** Stable name of the rule, for example `refuses-forged`. */
  rule: string
  /** The rows of docs/interface.md that it follows from, or the gap that it decides. */
  cites: string
  /** What the receiver has to do. */
  says: string
}

export const kept = (evidence: string): Judgement => ({ verdict: "kept", evidence })
export const broken = (evidence: string): Judgement => ({ verdict: "broken", evidence })
export const undecided = (evidence: string): Judgement => ({ verdict: "undecided", evidence })

/** The first that is broken, else the first that is undecided, else the first. */
export function worst(judgements: Judgement[]): Judgement {
  return (
    judgements.find(({ verdict }) => verdict === "broken") ??
    judgements.find(({ verdict }) => verdict === "undecided") ??
    judgements[0] ??
    undecided("Nothing was tried.")
  )
}
