/** Every command of the checkout says how it is used, before it starts or needs anything. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { ROOT } from "../../tools/child"

const run = promisify(execFile)

describe("--help", () => {
  it.each([
    ["npm run demo", ["--import", "tsx", "demo/start.ts"]],
    ["npm run store", ["--import", "tsx", "tools/store.ts"]],
    // As npx finds it in a clone that was never built.
    ["medusa-plugin-svc", ["bin/medusa-plugin-svc.mjs"]],
  ])("of %s", async (command, args) => {
    const { PATH, HOME, TMPDIR } = process.env
    const { stdout } = await run(process.execPath, [...args, "--help"], {
      cwd: ROOT,
      env: { PATH, HOME, TMPDIR },
    })
    expect(stdout).toContain(`Usage: ${command}`)
  })
})
