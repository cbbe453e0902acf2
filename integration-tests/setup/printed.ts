/** What one piece of work prints, without what anybody else in this process prints meanwhile. */
import { AsyncLocalStorage } from "node:async_hooks"

const STREAMS = ["stdout", "stderr"] as const

type Printed<Result> = { result: Result } & Record<(typeof STREAMS)[number], string>

export async function printedBy<Result>(work: () => Promise<Result>): Promise<Printed<Result>> {
  const mine = new AsyncLocalStorage<true>()
  const printed = { stdout: "", stderr: "" }
  const writes = STREAMS.map((stream) => {
    const { write } = process[stream]
    const listen = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      if (!mine.getStore()) return Reflect.apply(write, process[stream], [chunk, ...more])
      printed[stream] += Buffer.from(chunk as string).toString()
      const written = more.at(-1)
      if (typeof written === "function") written()
      return true
    }
    process[stream].write = listen
    return { stream, write }
  })
  try {
    return { result: await mine.run(true, work), ...printed }
  } finally {
    for (const { stream, write } of writes) process[stream].write = write
  }
}
