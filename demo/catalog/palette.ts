/** The shop's colours: names that customers read, and the paint that the pictures use. */
export const PALETTE = {
  Snow: "#f1ede6",
  Oat: "#e0d3bd",
  Sand: "#cdb692",
  Ochre: "#c9973f",
  Clay: "#b5694a",
  Rose: "#d29d93",
  Heather: "#8d7391",
  Moss: "#7f8a62",
  Pine: "#3f5a4c",
  Fjord: "#5c7a8c",
  Sky: "#a9c0c9",
  Ink: "#2c3946",
  Charcoal: "#454340",
  Oak: "#c79f6c",
  Ash: "#dfc9a3",
  Smoked: "#5b4638",
  Brass: "#c8a24e",
  Steel: "#b3b9bb",
} as const

export type Colour = keyof typeof PALETTE

export function isColour(value: string): value is Colour {
  return Object.hasOwn(PALETTE, value)
}
