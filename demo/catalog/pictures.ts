/**
 * The catalog's pictures: one template in `pictures/` for each kind of thing, in any colour.
 *
 * A template is an SVG file. `var(--c)` in it is the colour of the thing, `var(--a)` that of its second part. What
 * follows changes it: `-d20` is 20 % darker, `-l8` is 8 % lighter. A template draws with the parts of its own <defs>
 * and of `shared.svg`: `#pencil` is a part in the thing's colour, `#pencil--b5694a` and `#pencil--c-d20` are the same
 * part in another one. Each part begins with four spaces.
 */
import { readFileSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PRODUCTS } from "./products"
import { picturesOf } from "./variants"

const TEMPLATES = join(__dirname, "pictures")

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

/** `share` of the second colour in the first, from 0 to 1. */
function mix(first: string, second: string, share: number): string {
  const other = channels(second)
  const mixed = channels(first).map((value, at) => value + ((other[at] ?? 0) - value) * share)
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`
}

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour)
  return (red * 0.299 + green * 0.587 + blue * 0.114) / 255
}

// Shadows are warm here, and so is the light.
const darker = (colour: string, percent: number) => mix(colour, "#2a1f1a", percent / 100)
const lighter = (colour: string, percent: number) => mix(colour, "#fffaf0", percent / 100)

function change(colour: string, how: string): string {
  const percent = Number(how.slice(1))
  // Specks and stripes that must be seen on it, and the hands of a clock.
  if (how === "contrast")
    return brightness(colour) > 0.45 ? darker(colour, 50) : lighter(colour, 40)
  if (how === "ink") return brightness(colour) > 0.75 ? "#2c3946" : "#f1ede6"
  return how.startsWith("d") ? darker(colour, percent) : lighter(colour, percent)
}

type Template = { parts: Map<string, string>; body: string }

const read = new Map<string, Template>()

function template(name: string): Template {
  const known = read.get(name)
  if (known) return known
  const text = readFileSync(join(TEMPLATES, `${name}.svg`), "utf8").replace(/<!--.*?-->/gs, "")
  const [, defs = "", body = ""] =
    /<svg[^>]*>\s*(?:<defs>\n(.*)<\/defs>)?(.*)<\/svg>/s.exec(text) ?? []
  const parts = defs.split(/^ {4}(?=<\w)/m).map((part): [string, string] => {
    return [/ id="([^"]+)"/.exec(part)?.[1] ?? "", part]
  })
  const made = { parts: new Map(parts), body }
  read.set(name, made)
  return made
}

/** The parts that a text draws with, and those that they draw with. */
function partsFor(text: string, known: Map<string, string>, found = new Map<string, string>()) {
  for (const [, id = ""] of text.matchAll(/(?:url\(|href=")#([\w-]+)/g)) {
    if (found.has(id)) continue
    const [name = "", colour = "c"] = id.split("--")
    const part = known.get(name)
    if (!part) throw new Error(`There is no part "${name}" among the pictures.`)
    const coloured = part.replace(/--c(?=[-)"])/g, `--${colour}`)
    found.set(id, coloured.replace(`id="${name}"`, `id="${id}"`))
    partsFor(coloured, known, found)
  }
  return found
}

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** @param colours of the thing itself, and of its second part where it has one */
export function draw(drawing: string, colours: readonly string[], title: string): string {
  const { parts, body } = template(drawing)
  const defs = partsFor(body, new Map([...template("shared").parts, ...parts]))
  const [c = "#e0d3bd", a = c] = colours
  const tint = mix(c, "#e7ded0", 0.25)
  const colour: Record<string, string> = {
    c,
    a,
    wall: mix("#f0ebe3", tint, 0.2),
    counter: mix("#e4d9c9", tint, 0.14),
  }
  const drawn = `<title>${escapeText(title)}</title><defs>${[...defs.values()].join("")}</defs>${body}`
  const painted = drawn.replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    const [base = "", ...changes] = name.split("-")
    return changes.reduce(change, colour[base] ?? `#${base}`)
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800" role="img">${painted.replace(/\n\s*/g, "")}</svg>\n`
}

/** Draws every picture of the catalog as `<name>.svg`; @returns how many */
export async function writePictures(directory: string): Promise<number> {
  await mkdir(directory, { recursive: true })
  const pictures = PRODUCTS.flatMap((product) =>
    picturesOf(product).map((picture) => ({ ...picture, title: product.title })),
  )
  await Promise.all(
    pictures.map(({ name, drawing, colours, title }) =>
      writeFile(join(directory, `${name}.svg`), draw(drawing, colours, title)),
    ),
  )
  return pictures.length
}
