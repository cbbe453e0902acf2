/** A program that is run to its end, with nothing of the tests' own environment. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Fails with what the command printed, which is where npm and Medusa say what is wrong. */
export async function command(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = environment(),
): Promise<string> {
  try {
    return (await run(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }
    const said = `${stdout.slice(-4000)}${stderr.slice(-4000)}`
    throw new Error(`${program} ${args.join(" ")} failed.\n${said}`)
  }
}

/** Nothing of the tests' own environment but what any program needs. */
export function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, npm_config_cache, NODE_EXTRA_CA_CERTS } = process.env
  return { PATH, HOME, TMPDIR, npm_config_cache, NODE_EXTRA_CA_CERTS, CI: "true", ...extra }
}
