/** The state in a file: read at the start, written a moment after each change and at the end. */

import { accessSync, constants, readFileSync, renameSync, writeFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import path from "node:path"
import { Random } from "../simulation/random"
import type { Context } from "./context"
import { restoreSnapshot, type Snapshot, snapshotSchema, takeSnapshot } from "./snapshots"

const SAVE_EVERY_MS = 1000

export class StateFile {
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private stopListening: (() => void) | undefined
  /** How often a sandbox began from this file. */
  private starts = 0

  constructor(
    private readonly context: Context,
    private readonly file: string,
  ) {}

  /** @throws Error where the file holds something else, or its folder cannot be written to */
  load(seed: string | undefined): void {
    try {
      accessSync(path.dirname(this.file), constants.W_OK)
    } catch (error) {
      throw new Error(this.unwritable(error))
    }
    let text: string
    try {
      text = readFileSync(this.file, "utf8")
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return
      throw error
    }
    const snapshot = readSnapshot(text, this.file)
    restoreSnapshot(this.context, snapshot, "real")
    this.context.faults.removeAdversaries()
    // A sandbox that was killed has given more ids than its file knows of. Each start therefore draws
    // from a stream of its own: the same from run to run, and never an id or `deliveryUid` that went out.
    this.starts = (snapshot.random.starts ?? 0) + 1
    if (seed !== undefined) this.context.random = new Random(`${seed}/start ${this.starts}`)
    // Before anything is sent: a second kill must not bring the same start again.
    writeFileSync(`${this.file}.new`, this.text(), { mode: 0o600 })
    renameSync(`${this.file}.new`, this.file)
  }

  private text(): string {
    const snapshot = takeSnapshot(this.context)
    return JSON.stringify({ ...snapshot, random: { ...snapshot.random, starts: this.starts } })
  }

  start(): void {
    this.stopListening = this.context.changes.listen((what) => {
      // The journal is not in the file, so a new entry is no reason to write it.
      if (what.every((thing) => thing === "journal")) return
      this.timer ??= setTimeout(() => {
        this.timer = undefined
        void this.write()
      }, SAVE_EVERY_MS)
    })
  }

  async stop(): Promise<void> {
    this.stopListening?.()
    clearTimeout(this.timer)
    await this.write()
  }

  private write(): Promise<void> {
    this.writing = this.writing.then(async () => {
      try {
        // Renamed into place: a crash while writing leaves the old file whole.
        await writeFile(`${this.file}.new`, this.text(), { mode: 0o600 })
        await rename(`${this.file}.new`, this.file)
      } catch (error) {
        // A full disk must not end a show that is running. The next change tries again.
        process.stderr.write(`${this.unwritable(error)}\n`)
      }
    })
    return this.writing
  }

  private unwritable(error: unknown): string {
    return `The state file ${this.file} cannot be written: ${(error as Error).message}`
  }
}

function readSnapshot(text: string, file: string): Snapshot {
  try {
    return snapshotSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(`${file} is not a state file of the sandbox. Move it away to start afresh.`)
  }
}
