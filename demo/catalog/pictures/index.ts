/** One drawing for each kind of thing the shop sells, in any colour. */
import * as bath from "./bath"
import * as ceramics from "./ceramics"
import * as kitchen from "./kitchen"
import * as knitwear from "./knitwear"
import * as lighting from "./lighting"
import * as living from "./living"
import * as stationery from "./stationery"
import { Canvas, mix, room } from "./svg"

type Draw = (canvas: Canvas, colour: string, accent?: string) => string
type Setting = "table" | "wall" | "flat"

const DRAWINGS = {
  mug: [ceramics.mug, "table"],
  tumbler: [ceramics.tumbler, "table"],
  bowl: [ceramics.bowl, "table"],
  servingBowl: [ceramics.servingBowl, "table"],
  plate: [ceramics.plate, "flat"],
  sidePlate: [ceramics.sidePlate, "flat"],
  bottleVase: [ceramics.bottleVase, "table"],
  budVase: [ceramics.budVase, "table"],
  roundVase: [ceramics.roundVase, "table"],
  teapot: [ceramics.teapot, "table"],
  pitcher: [ceramics.pitcher, "table"],
  butterDish: [ceramics.butterDish, "table"],
  planter: [ceramics.planter, "table"],
  cuttingBoard: [kitchen.cuttingBoard, "flat"],
  rollingPin: [kitchen.rollingPin, "flat"],
  teaTowel: [kitchen.teaTowel, "flat"],
  apron: [kitchen.apron, "wall"],
  kettle: [kitchen.kettle, "table"],
  carafe: [kitchen.carafe, "table"],
  glasses: [kitchen.glasses, "table"],
  storageJar: [kitchen.storageJar, "table"],
  pepperMill: [kitchen.pepperMill, "table"],
  spoons: [kitchen.spoons, "flat"],
  tray: [kitchen.tray, "flat"],
  domePendant: [lighting.domePendant, "wall"],
  bellPendant: [lighting.bellPendant, "wall"],
  paperLantern: [lighting.paperLantern, "wall"],
  tableLamp: [lighting.tableLamp, "table"],
  portableLamp: [lighting.portableLamp, "table"],
  floorLamp: [lighting.floorLamp, "wall"],
  jarCandle: [bath.jarCandle, "table"],
  tapers: [bath.tapers, "flat"],
  candleHolder: [bath.candleHolder, "table"],
  pillarCandle: [bath.pillarCandle, "table"],
  soapBottle: [bath.soapBottle, "table"],
  soapBar: [bath.soapBar, "flat"],
  towels: [bath.towels, "table"],
  sweater: [knitwear.sweater, "flat"],
  cardigan: [knitwear.cardigan, "flat"],
  turtleneck: [knitwear.turtleneck, "flat"],
  stripedSweater: [knitwear.stripedSweater, "flat"],
  beanie: [knitwear.beanie, "flat"],
  scarf: [knitwear.scarf, "flat"],
  mittens: [knitwear.mittens, "flat"],
  socks: [knitwear.socks, "flat"],
  throw: [living.throwBlanket, "table"],
  checkedBlanket: [living.checkedBlanket, "table"],
  cushion: [living.cushion, "flat"],
  stripedCushion: [living.stripedCushion, "flat"],
  stool: [living.stool, "table"],
  chair: [living.chair, "table"],
  sideTable: [living.sideTable, "table"],
  basket: [living.basket, "table"],
  clock: [living.clock, "wall"],
  mirror: [living.mirror, "wall"],
  rug: [living.rug, "flat"],
  coatRack: [living.coatRack, "wall"],
  notebook: [stationery.notebook, "flat"],
  pocketBooks: [stationery.pocketBooks, "flat"],
  planner: [stationery.planner, "flat"],
  pencils: [stationery.pencils, "flat"],
  pen: [stationery.pen, "flat"],
  cards: [stationery.cards, "flat"],
  paperRoll: [stationery.paperRoll, "flat"],
  deskTray: [stationery.deskTray, "flat"],
  giftCard: [stationery.giftCard, "flat"],
} satisfies Record<string, [Draw, Setting]>

export type Drawing = keyof typeof DRAWINGS

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/**
 * @param colours of the thing itself, and of its second part where it has one
 * @param name decides the speckles, so each picture is always the same file
 */
export function draw(
  drawing: Drawing,
  colours: readonly string[],
  name: string,
  title: string,
): string {
  const [paint, setting]: [Draw, Setting] = DRAWINGS[drawing]
  const canvas = new Canvas(name)
  const colour = colours[0] ?? "#e0d3bd"
  const walls = room(canvas, mix(colour, "#e7ded0", 0.25), setting)
  return canvas.document(walls + paint(canvas, colour, colours[1]), escapeText(title))
}
