import execa from "execa"
import { nodeOptionsFor, ROOT } from "../child"

/**
 * Runs a program to its end, at most as long as this process lives.
 * @throws with the last that it printed
 */
export async function runTool(script: string, args: string[]): Promise<void> {
  const { failed, all = "" } = await execa.node(script, args, {
    cwd: ROOT,
    nodeOptions: nodeOptionsFor(script),
    all: true,
    reject: false,
  })
  if (failed) throw new Error(all.slice(-4_000))
}
