/**
 * Randomness with a seed, so that a run can be repeated: ids, keys, fault plans and shuffles.
 *
 * Without a seed one is drawn from the system, because a sandbox that hands out the same ids after
 * each start would make receivers take new events for old ones.
 */

import { hash, randomBytes } from "node:crypto"

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
const LETTER_BITS = 5
const LETTERS_A_DRAW = 6

export class Random {
  private block: Buffer | undefined

  /** @param draws  how many numbers were drawn already: with the seed, all a snapshot needs */
  constructor(
    readonly seed: string,
    public draws = 0,
  ) {}

  static systemSeed(): string {
    return randomBytes(12).toString("base64url")
  }

  /**
   * A stream of its own for one purpose and one thing, for example the storm of one delivery. What it
   * gives does not depend on who else draws meanwhile, so answers may come in any order.
   */
  stream(...names: (string | number)[]): Random {
    return new Random([this.seed, ...names].join("/"))
  }

  /** A number in [0, 1): 32 bits of SHA-256 over the seed and a counter. */
  next(): number {
    const at = this.draws++ % 8
    if (at === 0 || !this.block) {
      const counter = Math.floor((this.draws - 1) / 8)
      this.block = hash("sha256", `${this.seed}:${counter}`, "buffer")
    }
    return this.block.readUInt32LE(at * 4) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.between(0, items.length - 1)] ?? items[0]
  }

  /** `prefix_` and 16 letters: 80 bits, enough that ids of two runs never meet. */
  id(prefix: string): string {
    return `${prefix}_${this.letters(16)}`
  }

  letters(length: number): string {
    let text = ""
    // Each has five of the draw's 32 bits: one draw gives six letters, and an id costs one hash.
    for (let bits = 0; text.length < length; bits >>>= LETTER_BITS) {
      if (text.length % LETTERS_A_DRAW === 0) bits = Math.floor(this.next() * 2 ** 32)
      text += LETTERS[bits & (LETTERS.length - 1)] ?? "a"
    }
    return text
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.between(0, 255)))
  }
}
