/**
 * Makes the pages out of their sources in `pages/`: esbuild turns TSX and style sheets into what a
 * browser loads. The package is published with the result; in the source tree they are made when
 * the first page is asked for, in some tens of milliseconds.
 */

import { readFile } from "node:fs/promises"
import path from "node:path"
import { type BuildOptions, build } from "esbuild"

const SOURCES = path.join(__dirname, "pages")
const from = (...names: string[]) => path.join(SOURCES, ...names)

/** By the name under which a page is served; see `static-files.ts`. */
export type Pages = Map<string, Uint8Array>

const COPIED = ["dashboard.html", "player.html", "player/stage.svg", "mark.svg"]

const shared: BuildOptions = {
  bundle: true,
  write: false,
  outdir: SOURCES,
  platform: "browser",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
}

/** @param minify  for the package; the source tree is read in the browser's tools */
export async function bundlePages({ minify }: { minify: boolean }): Promise<Pages> {
  const builds = await Promise.all([
    build({
      ...shared,
      minify,
      format: "esm",
      entryPoints: {
        dashboard: from("dashboard", "app.tsx"),
        "player/page": from("player", "page.ts"),
      },
    }),
    build({
      ...shared,
      minify,
      entryPoints: {
        dashboard: from("dashboard", "dashboard.css"),
        "player/page": path.join(__dirname, "base.css"),
      },
    }),
    // A classic script: the tag that a storefront writes tells it which page's show to play.
    build({
      ...shared,
      minify,
      format: "iife",
      loader: { ".css": "text" },
      entryPoints: { player: from("player", "main.tsx") },
    }),
  ])
  const pages: Pages = new Map()
  for (const { outputFiles } of builds) {
    for (const { path: file, contents } of outputFiles ?? []) {
      pages.set(path.relative(SOURCES, file).replaceAll(path.sep, "/"), contents)
    }
  }
  for (const name of COPIED) pages.set(name, await readFile(from(name)))
  return pages
}
