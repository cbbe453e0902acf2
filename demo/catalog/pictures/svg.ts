/**
 * The few things every picture is made of: colours that are mixed, bodies that are turned like on a
 * wheel, light from the upper left, and a quiet room. Plain strings; the same input, the same file.
 */

export const SIZE = 800
/** Where things stand. */
export const TABLE = 610
export const CENTRE = SIZE / 2

type Channels = [number, number, number]

function channels(colour: string): Channels {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hex = (value: number) =>
  Math.round(Math.min(255, Math.max(0, value)))
    .toString(16)
    .padStart(2, "0")

/** `share` of the second colour in the first, from 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const a = channels(first)
  const b = channels(second)
  return `#${a.map((value, index) => hex(value + ((b[index] ?? 0) - value) * share)).join("")}`
}

/** Shadows are warm here, and so is the light. */
export const darker = (colour: string, share: number) => mix(colour, "#2a1f1a", share)
export const lighter = (colour: string, share: number) => mix(colour, "#fffaf0", share)

export function brightness(colour: string): number {
  const [r, g, b] = channels(colour)
  return (r * 0.299 + g * 0.587 + b * 0.114) / 255
}

/** Repeatable random numbers from 0 to 1: the same name gives the same speckles. */
export function dice(seed: string): () => number {
  let state = 0
  for (const character of seed) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

const round = (value: number) => Math.round(value * 10) / 10

/** Collects definitions while a picture is drawn, so that ids never collide inside it. */
export class Canvas {
  private readonly definitions: string[] = []
  private next = 0
  readonly random: () => number

  constructor(readonly seed: string) {
    this.random = dice(seed)
  }

  define(build: (id: string) => string): string {
    this.next += 1
    const id = `d${this.next}`
    this.definitions.push(build(id))
    return `url(#${id})`
  }

  /** Stops as `[offset, colour, opacity?]`; across by default, `down` for top to bottom. */
  gradient(stops: [number, string, number?][], down = false): string {
    const axis = down ? 'x1="0" y1="0" x2="0" y2="1"' : 'x1="0" y1="0" x2="1" y2="0"'
    const inner = stops
      .map(
        ([offset, colour, opacity]) =>
          `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? "" : ` stop-opacity="${opacity}"`}/>`,
      )
      .join("")
    return this.define((id) => `<linearGradient id="${id}" ${axis}>${inner}</linearGradient>`)
  }

  glow(stops: [number, string, number?][], cx = 0.5, cy = 0.5, r = 0.5): string {
    const inner = stops
      .map(
        ([offset, colour, opacity]) =>
          `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? "" : ` stop-opacity="${opacity}"`}/>`,
      )
      .join("")
    return this.define(
      (id) => `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${inner}</radialGradient>`,
    )
  }

  /** A round body lit from the left: a narrow dark edge, the highlight, a long fall into shade. */
  turned(colour: string): string {
    return this.gradient([
      [0, darker(colour, 0.2)],
      [0.1, colour],
      [0.3, lighter(colour, 0.32)],
      [0.52, colour],
      [0.82, darker(colour, 0.24)],
      [0.94, darker(colour, 0.36)],
      [1, darker(colour, 0.28)],
    ])
  }

  blur(amount: number): string {
    return this.define(
      (id) =>
        `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${amount}"/></filter>`,
    )
  }

  clip(path: string): string {
    return this.define((id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`)
  }

  pattern(width: number, height: number, content: string, transform = ""): string {
    return this.define(
      (id) =>
        `<pattern id="${id}" width="${width}" height="${height}" patternUnits="userSpaceOnUse"${
          transform ? ` patternTransform="${transform}"` : ""
        }>${content}</pattern>`,
    )
  }

  /** The shadow of something that stands on the table. */
  shadow(x: number, y: number, rx: number, ry = rx * 0.16): string {
    return (
      ellipse(x + rx * 0.22, y + 2, rx * 1.18, ry * 1.15, {
        fill: "#3a2a20",
        opacity: 0.2,
        filter: this.blur(18),
      }) +
      ellipse(x + rx * 0.05, y, rx * 0.98, ry * 0.7, {
        fill: "#2a1f1a",
        opacity: 0.35,
        filter: this.blur(7),
      })
    )
  }

  /** Iron in the clay. */
  speckles(path: string, colour: string, count: number, box: Box): string {
    const tone = brightness(colour) > 0.45 ? darker(colour, 0.5) : lighter(colour, 0.4)
    const dots = Array.from({ length: count }, () =>
      ellipse(
        box.x + this.random() * box.width,
        box.y + this.random() * box.height,
        0.8 + this.random() * 2,
        0.8 + this.random() * 1.6,
        { fill: tone, opacity: round(0.15 + this.random() * 0.4) },
      ),
    )
    return `<g clip-path="${this.clip(path)}">${dots.join("")}</g>`
  }

  document(body: string, title: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img"><title>${title}</title><defs>${this.definitions.join("")}</defs>${body}</svg>\n`
  }
}

export type Box = { x: number; y: number; width: number; height: number }

type Style = Record<string, string | number | undefined>

function attributes(style: Style): string {
  return Object.entries(style)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("")
}

export function path(d: string, style: Style): string {
  return `<path d="${d}"${attributes(style)}/>`
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, style: Style): string {
  return `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(rx)}" ry="${round(ry)}"${attributes(style)}/>`
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  style: Style,
  radius = 0,
): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${radius ? ` rx="${radius}"` : ""}${attributes(style)}/>`
}

export function line(x1: number, y1: number, x2: number, y2: number, style: Style): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"${attributes(style)}/>`
}

export function group(content: string, style: Style = {}): string {
  return `<g${attributes(style)}>${content}</g>`
}

export type Point = [number, number]

/** A smooth line through points (Catmull-Rom as cubic Béziers). */
export function smooth(points: Point[], start: "M" | "L" = "M"): string {
  const at = (index: number): Point =>
    points[Math.min(points.length - 1, Math.max(0, index))] ?? [0, 0]
  let d = `${start}${round(at(0)[0])} ${round(at(0)[1])}`
  for (let index = 0; index < points.length - 1; index++) {
    const [p0, p1, p2, p3] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    const control = (a: number, b: number, c: number, sign: number) => b + (sign * (c - a)) / 6
    d += `C${round(control(p0[0], p1[0], p2[0], 1))} ${round(control(p0[1], p1[1], p2[1], 1))} ${round(control(p1[0], p2[0], p3[0], -1))} ${round(control(p1[1], p2[1], p3[1], -1))} ${round(p2[0])} ${round(p2[1])}`
  }
  return d
}

/** One point of a profile: half the width, and the height. */
export type Profile = Point[]

/**
 * The outline of something turned on a wheel: its profile right and left of an axis, closed by the
 * front half of an ellipse at the top and at the foot.
 */
export function turnedPath(axis: number, profile: Profile, tilt = 0.16): string {
  const top = profile[0] ?? [0, 0]
  const foot = profile.at(-1) ?? [0, 0]
  const right = profile.map(([radius, y]): Point => [axis + radius, y])
  const left = [...profile].reverse().map(([radius, y]): Point => [axis - radius, y])
  return `${smooth(right)}A${round(foot[0])} ${round(foot[0] * tilt)} 0 0 1 ${round(axis - foot[0])} ${round(foot[1])}${smooth(left, "L")}A${round(top[0])} ${round(top[0] * tilt)} 0 0 1 ${round(axis + top[0])} ${round(top[1])}Z`
}

/** A turned body with its shading, its mouth and its speckles. */
export function turned(
  canvas: Canvas,
  axis: number,
  profile: Profile,
  colour: string,
  options: {
    mouth?: boolean
    inside?: string
    speckles?: number
    tilt?: number
    foot?: string
  } = {},
): string {
  const tilt = options.tilt ?? 0.16
  const outline = turnedPath(axis, profile, tilt)
  const [radius, y] = profile[0] ?? [0, 0]
  const widest = Math.max(...profile.map(([each]) => each))
  const bottom = profile.at(-1)?.[1] ?? y
  const parts = [path(outline, { fill: canvas.turned(colour) })]
  // Shade towards the foot, where the table takes the light.
  parts.push(
    path(outline, {
      fill: canvas.gradient(
        [
          [0, "#2a1f1a", 0],
          [0.65, "#2a1f1a", 0],
          [1, "#2a1f1a", 0.22],
        ],
        true,
      ),
    }),
  )
  if (options.foot) {
    const height = (bottom - y) * 0.1
    parts.push(
      group(
        rect(axis - widest, bottom - height, widest * 2, height * 2, {
          fill: canvas.turned(options.foot),
        }),
        { "clip-path": canvas.clip(outline) },
      ),
    )
  }
  if (options.speckles) {
    parts.push(
      canvas.speckles(outline, colour, options.speckles, {
        x: axis - widest,
        y,
        width: widest * 2,
        height: bottom - y,
      }),
    )
  }
  if (options.mouth !== false) {
    const inside = options.inside ?? darker(colour, 0.3)
    parts.push(
      ellipse(axis, y, radius, radius * tilt, { fill: lighter(colour, 0.22) }),
      ellipse(axis, y + 1.5, radius * 0.94, radius * tilt * 0.86, {
        fill: canvas.gradient([
          [0, darker(inside, 0.35)],
          [0.55, inside],
          [1, lighter(inside, 0.18)],
        ]),
      }),
    )
  }
  return parts.join("")
}

/** Fine grain along a plank. */
export function woodGrain(canvas: Canvas, colour: string, box: Box, clipPath: string): string {
  const lines: string[] = []
  for (let y = box.y; y < box.y + box.height; y += 9 + canvas.random() * 12) {
    const bend = (canvas.random() - 0.5) * 16
    lines.push(
      path(
        `M${round(box.x)} ${round(y)}Q${round(box.x + box.width / 2)} ${round(y + bend)} ${round(box.x + box.width)} ${round(y + bend / 3)}`,
        {
          fill: "none",
          stroke: darker(colour, 0.28),
          "stroke-width": round(0.8 + canvas.random() * 1.6),
          opacity: round(0.18 + canvas.random() * 0.3),
        },
      ),
    )
  }
  return group(lines.join(""), { "clip-path": canvas.clip(clipPath) })
}

/** Rows of knitted stitches, to be laid over a colour. */
export function knit(canvas: Canvas, colour: string, scale = 1): string {
  const w = 14 * scale
  const h = 12 * scale
  const shade = darker(colour, 0.24)
  const light = lighter(colour, 0.16)
  const stitch = (x: number) =>
    `<path d="M${x} 0l${w / 2} ${h * 0.62}l${w / 2} ${-h * 0.62}v${h * 0.5}l${-w / 2} ${h * 0.62}l${-w / 2} ${-h * 0.62}z" fill="${light}" stroke="${shade}" stroke-width="${round(1.1 * scale)}" stroke-linejoin="round"/>`
  return canvas.pattern(
    w,
    h,
    `<rect width="${w}" height="${h}" fill="${colour}"/>${stitch(0)}<g transform="translate(0 ${-h})">${stitch(0)}</g>`,
  )
}

/** Vertical ribs for cuffs, hems and hats. */
export function rib(canvas: Canvas, colour: string, width = 12): string {
  return canvas.pattern(
    width,
    10,
    `<rect width="${width}" height="10" fill="${colour}"/><rect width="${width * 0.38}" height="10" fill="${darker(colour, 0.2)}"/><rect x="${width * 0.38}" width="${width * 0.16}" height="10" fill="${darker(colour, 0.08)}"/><rect x="${width * 0.62}" width="${width * 0.2}" height="10" fill="${lighter(colour, 0.16)}"/>`,
  )
}

/** The weave of linen. */
export function linen(canvas: Canvas, colour: string): string {
  const dark = darker(colour, 0.13)
  const light = lighter(colour, 0.16)
  return canvas.pattern(
    6,
    6,
    `<rect width="6" height="6" fill="${colour}"/><path d="M0 1.5h3M3 4.5h3" stroke="${light}" stroke-width="1.2"/><path d="M1.5 3v3M4.5 0v3" stroke="${dark}" stroke-width="1.1"/>`,
  )
}

/** A wall, a table or only a wall, and the light of a window. */
export function room(canvas: Canvas, tint: string, kind: "table" | "wall" | "flat"): string {
  const wall = mix("#f0ebe3", tint, 0.2)
  const parts = [
    rect(0, 0, SIZE, SIZE, {
      fill: canvas.gradient(
        [
          [0, lighter(wall, 0.35)],
          [1, darker(wall, 0.05)],
        ],
        true,
      ),
    }),
  ]
  if (kind === "table") {
    const top = mix("#e4d9c9", tint, 0.14)
    parts.push(
      rect(0, 520, SIZE, 280, {
        fill: canvas.gradient(
          [
            [0, darker(top, 0.06)],
            [0.12, top],
            [1, lighter(top, 0.3)],
          ],
          true,
        ),
      }),
      rect(0, 519, SIZE, 2, { fill: darker(top, 0.16), opacity: 0.5 }),
    )
  }
  const beam =
    kind === "flat" ? "M-60 -40L330 -40L690 840L240 840Z" : "M60 -20L330 -20L560 540L250 540Z"
  parts.push(
    path(beam, {
      fill: "#fffaf0",
      opacity: kind === "flat" ? 0.28 : 0.34,
      filter: canvas.blur(26),
    }),
    rect(0, 0, SIZE, SIZE, {
      fill: canvas.glow(
        [
          [0.55, "#3a2a20", 0],
          [1, "#3a2a20", 0.14],
        ],
        0.45,
        0.45,
        0.75,
      ),
    }),
  )
  return parts.join("")
}
