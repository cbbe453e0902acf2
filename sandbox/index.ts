/** The sandbox, to be started from a test or a script. */

export { type Sandbox, type SandboxOptions, startSandbox } from "./server"
