/** When which trouble begins and how long it lasts: a pure function of a seed. */
import type { Random } from "../../../sandbox/simulation/random"

/** Something that goes wrong for a while. */
export type Trouble = { name: string; longestMs: number }

type Step = {
  /** Milliseconds after the beginning of the run. */
  atMs: number
  lane: string
  trouble: string
  forMs: number
}

/** A trouble lasts for at least this share of its longest time. */
const SHORTEST = 0.3

/**
 * Deals each lane's troubles like a pack of cards, so that each comes as often as any other. One lane has one trouble at a
 * time; troubles of different lanes meet.
 *
 * @param random the same seed makes the same schedule
 * @param pauseMs the longest quiet time between two troubles of a lane
 */
export function makeSchedule(
  random: Random,
  lanes: Record<string, readonly Trouble[]>,
  ms: number,
  pauseMs: number,
): Step[] {
  const steps: Step[] = []
  for (const [lane, troubles] of Object.entries(lanes)) {
    const draw = random.stream(lane)
    let pack: Trouble[] = []
    for (let atMs = pause(draw, pauseMs); ; atMs += pause(draw, pauseMs)) {
      if (pack.length === 0) pack = shuffled(troubles, draw)
      const next = pack.pop()
      if (!next) break
      const forMs = Math.round(next.longestMs * (SHORTEST + (1 - SHORTEST) * draw.next()))
      if (atMs + forMs > ms) break
      steps.push({ atMs, lane, trouble: next.name, forMs })
      atMs += forMs
    }
  }
  return steps.sort((one, other) => one.atMs - other.atMs)
}

const pause = (random: Random, longestMs: number) =>
  Math.round(longestMs * (SHORTEST + (1 - SHORTEST) * random.next()))

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items]
  const dealt: T[] = []
  while (left.length > 0) dealt.push(...left.splice(random.between(0, left.length - 1), 1))
  return dealt
}

/** The schedule as a person reads it. */
export const printed = (steps: readonly Step[]): string =>
  steps
    .map(({ atMs, lane, trouble, forMs }) => {
      const seconds = (value: number) => (value / 1000).toFixed(1)
      return `${seconds(atMs).padStart(7)} s  ${lane.padEnd(8)} ${trouble}, for ${seconds(forMs)} s`
    })
    .join("\n")
