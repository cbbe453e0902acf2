#!/usr/bin/env node
/** The command `medusa-plugin-svc`: from the sources in a clone, which need not be built for it, and else as built. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const sources = "../sandbox/cli/bin.ts"

if (existsSync(new URL(sources, import.meta.url))) {
  require("tsx/cjs/api").register()
  require(sources)
} else {
  require("../.medusa/server/sandbox/cli/bin.js")
}
