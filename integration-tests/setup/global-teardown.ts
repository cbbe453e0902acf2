import type { Running } from "./global-setup"

export default async function globalTeardown(): Promise<void> {
  await (globalThis as Running).endOfTests?.()
}
