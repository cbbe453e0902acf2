/** `build-admin.ts <folder>`: what `medusa build` does for the admin, into a folder of our choice. */
import type * as AdminBundler from "@medusajs/admin-bundler"
import { getResolvedPlugins } from "@medusajs/framework/utils"
import config from "../../medusa-config"
import { ROOT } from "../child"

async function build(outDir: string) {
  const plugins = await getResolvedPlugins(ROOT, config as never, true)
  const admins = plugins.flatMap(({ admin }) => (admin ? [admin] : []))
  // Read by React and the bundler; set after the configuration, which would ask for secrets.
  process.env.NODE_ENV = "production"
  const bundler = require("@medusajs/admin-bundler") as typeof AdminBundler
  await bundler.build({
    path: "/app",
    sources: admins.filter(({ type }) => type === "local").map(({ resolve }) => resolve),
    plugins: admins.filter(({ type }) => type === "package").map(({ resolve }) => resolve),
    outDir,
  })
}

const outDir = process.argv[2]
if (!outDir) throw new Error("build-admin.ts needs the folder to build into")
build(outDir).catch((error) => {
  console.error(error)
  process.exit(1)
})
