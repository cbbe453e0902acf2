/** Says what is going on while it goes on, and how long it took; a terminal has one line for each step. */
const terminal = process.stdout.isTTY === true

/** How often a step that takes long is named again where there is no terminal: in a log, silence looks like a hang. */
const REMINDER_MS = 15_000

const write = (line: string, end = "\n") =>
  process.stdout.write(terminal ? `\r\u001b[2K  ${line}${end}` : `  ${line}\n`)

/** Runs one step; `detail` changes what is shown beside its name while it runs. */
export async function step<T>(
  name: string,
  work: (detail: (text: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now()
  let detail = ""
  const say = () => write(`… ${detail ? `${name}: ${detail}` : name}`, "")
  say()
  const reminder = setInterval(say, REMINDER_MS)
  try {
    const result = await work((text) => {
      detail = text
      if (terminal) say()
    })
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    write(`✓ ${name}${detail ? ` (${detail})` : ""}, ${seconds} s`)
    return result
  } catch (error) {
    write(`✗ ${name}`)
    throw error
  } finally {
    clearInterval(reminder)
  }
}
