/** The packages of this repository as they are published. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { ROOT } from "../../tools/child"
import { withFolder } from "../../tools/folder-owner"
import { command } from "./command"

type Package = "medusa-plugin-svc" | "svc-sandbox" | "svc-storefront"

/**
 * Builds a package and packs it, as publishing does. Each is built into a folder of the checkout, and the plugin takes the
 * storefront's along: one at a time.
 *
 * @param folder where the tarball goes
 * @returns the tarball's name
 */
export async function pack(name: Package, folder: string): Promise<string> {
  const workspace = name === "medusa-plugin-svc" ? [] : ["-w", name]
  await withFolder(join(ROOT, ".test", "packing"), () =>
    command("npm", ["pack", "--silent", ...workspace, "--pack-destination", folder], ROOT),
  )
  const tarball = (await readdir(folder)).find((file) => file.startsWith(`${name}-`))
  if (!tarball) throw new Error(`npm pack made no tarball of ${name}.`)
  return tarball
}
