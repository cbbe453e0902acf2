/** Says what is going on while it goes on, and how long it took; a spinner where there is a terminal. */
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const terminal = process.stdout.isTTY === true

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** How often a step that takes long is named again where there is no spinner: in a log, silence looks like a hang. */
const REMINDER_MS = 15_000

function spin(line: () => string): () => void {
  if (!terminal) {
    const name = () => process.stdout.write(`  … ${line()}\n`)
    name()
    const timer = setInterval(name, REMINDER_MS)
    return () => clearInterval(timer)
  }
  let frame = 0
  const draw = () => {
    frame = (frame + 1) % FRAMES.length
    process.stdout.write(`\r\u001b[2K  ${FRAMES[frame]} ${line()}`)
  }
  draw()
  const timer = setInterval(draw, 100)
  return () => {
    clearInterval(timer)
    process.stdout.write("\r\u001b[2K")
  }
}

/** Runs one step; `detail` changes what is shown beside its name while it runs. */
export async function step<T>(
  name: string,
  work: (detail: (text: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now()
  let detail = ""
  const stop = spin(() => (detail ? `${name}: ${detail}` : name))
  try {
    const result = await work((text) => {
      detail = text
    })
    stop()
    process.stdout.write(
      `  ✓ ${name}${detail ? ` (${detail})` : ""}, ${seconds(Date.now() - started)}\n`,
    )
    return result
  } catch (error) {
    stop()
    process.stdout.write(`  ✗ ${name}\n`)
    throw error
  }
}
