/**
 * Unit tests first, because they say the soonest what is wrong; then the longest files, so that the last minutes of a run are not one file on one of the workers. How long a
 * file took is known on a machine that ran it before; elsewhere the length of the file and of the folder of the same
 * name, where its parts are, stands for it. One that installs packages, builds or starts programs takes longer than its
 * length says.
 */
const { readdirSync, readFileSync, statSync } = require("node:fs")
const { join } = require("node:path")
const Sequencer = require("@jest/test-sequencer").default

/** Bytes of the files below a folder; 0 where there is none. */
function sizeOf(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  } catch {
    return 0
  }
}

/** As many bytes of tests run in the time that such a start takes. */
const SLOW_START_BYTES = 40_000

const lengthOf = ({ path }) => {
  const text = readFileSync(path, "utf8")
  const starting = text.includes("SLOW_START_MS") ? SLOW_START_BYTES : 0
  return text.length + sizeOf(path.replace(/(\.unit)?\.spec\.ts$/, "")) + starting
}

module.exports = class extends Sequencer {
  sort(tests) {
    // Writes into each test how long it took, where a run before this one wrote it down.
    const byDuration = super.sort([...tests])
    if (byDuration.some(({ duration }) => duration == null)) {
      byDuration.sort((one, other) => lengthOf(other) - lengthOf(one))
    }
    const isLater = ({ context }) => Number(context.config.displayName?.name !== "unit")
    return byDuration.sort((one, other) => isLater(one) - isLater(other))
  }
}
