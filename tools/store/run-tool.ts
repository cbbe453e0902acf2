import execa from "execa"
import { nodeOptionsFor, ROOT } from "../child"

/**
 * Runs a program to its end, at most as long as this process lives.
 *
 * @param env its whole environment; this process's own where it is not given
 * @throws with the last that it printed
 */
export async function runTool(
  script: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  const { failed, all = "" } = await execa.node(script, args, {
    cwd: ROOT,
    ...(env ? { env, extendEnv: false } : {}),
    nodeOptions: nodeOptionsFor(script),
    all: true,
    reject: false,
  })
  if (failed) throw new Error(all.slice(-4_000))
}
