import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PRODUCTS } from "../products"
import { picturesOf } from "../variants"
import { draw } from "./index"

/** Draws every picture of the catalog as `<name>.svg`; @returns how many */
export async function writePictures(directory: string): Promise<number> {
  await mkdir(directory, { recursive: true })
  const pictures = PRODUCTS.flatMap((product) =>
    picturesOf(product).map((picture) => ({ ...picture, title: product.title })),
  )
  await Promise.all(
    pictures.map(({ name, drawing, colours, title }) =>
      writeFile(join(directory, `${name}.svg`), draw(drawing, colours, name, title)),
    ),
  )
  return pictures.length
}
