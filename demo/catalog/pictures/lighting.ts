import {
  type Canvas,
  CENTRE,
  darker,
  ellipse,
  group,
  lighter,
  linen,
  path,
  rect,
  SIZE,
  smooth,
  TABLE,
  turned,
} from "./svg"

const WARM = "#ffe2a3"

function halo(canvas: Canvas, x: number, y: number, radius: number, strength = 0.8): string {
  return ellipse(x, y, radius, radius, {
    fill: canvas.glow([
      [0, "#fff3cf", strength],
      [0.4, WARM, strength * 0.5],
      [1, WARM, 0],
    ]),
  })
}

function cord(canvas: Canvas, length: number): string {
  return (
    rect(CENTRE - 30, -6, 60, 30, { fill: canvas.turned("#e9e4da") }, 6) +
    rect(CENTRE - 2.5, 20, 5, length - 20, { fill: "#3b3a38" })
  )
}

function cone(canvas: Canvas, y: number, half: number): string {
  return path(
    `M${CENTRE - half} ${y}H${CENTRE + half}L${CENTRE + half * 1.9} ${SIZE}H${CENTRE - half * 1.9}Z`,
    {
      fill: canvas.gradient(
        [
          [0, WARM, 0.55],
          [1, WARM, 0],
        ],
        true,
      ),
      filter: canvas.blur(14),
    },
  )
}

export function domePendant(canvas: Canvas, colour: string): string {
  const dome = "M170 470C170 330 268 236 400 236S630 330 630 470Z"
  return (
    cone(canvas, 470, 210) +
    cord(canvas, 220) +
    rect(376, 196, 48, 46, { fill: canvas.turned("#c8a24e") }, 8) +
    path(dome, { fill: canvas.turned(colour) }) +
    path(dome, {
      fill: canvas.gradient(
        [
          [0, "#ffffff", 0.18],
          [0.6, "#2a1f1a", 0],
          [1, "#2a1f1a", 0.22],
        ],
        true,
      ),
    }) +
    ellipse(CENTRE, 470, 230, 40, {
      fill: canvas.glow(
        [
          [0, "#fffbe9"],
          [0.35, "#ffeebc"],
          [1, "#e6cd95"],
        ],
        0.5,
        0.5,
        0.6,
      ),
    }) +
    ellipse(CENTRE, 470, 230, 40, {
      fill: "none",
      stroke: lighter(colour, 0.3),
      "stroke-width": 4,
    }) +
    ellipse(CENTRE, 478, 58, 26, { fill: "#fffdf4" }) +
    halo(canvas, CENTRE, 490, 260, 0.7)
  )
}

export function bellPendant(canvas: Canvas, colour: string): string {
  const bell =
    "M290 500C300 420 316 400 330 330C340 280 366 256 400 256S460 280 470 330C484 400 500 420 510 500Z"
  return (
    cone(canvas, 500, 100) +
    cord(canvas, 240) +
    rect(382, 222, 36, 40, { fill: canvas.turned("#dfc9a3") }, 8) +
    path(bell, { fill: canvas.turned(colour) }) +
    ellipse(CENTRE, 500, 110, 22, {
      fill: canvas.glow([
        [0, "#fffbe9"],
        [0.4, "#ffeebc"],
        [1, "#dcbf82"],
      ]),
    }) +
    ellipse(CENTRE, 500, 110, 22, {
      fill: "none",
      stroke: lighter(colour, 0.3),
      "stroke-width": 3.5,
    }) +
    ellipse(CENTRE, 508, 36, 22, { fill: "#fffdf4" }) +
    halo(canvas, CENTRE, 520, 180, 0.75)
  )
}

export function paperLantern(canvas: Canvas): string {
  const ribs = Array.from({ length: 15 }, (_, index) => {
    const at = (index + 1) / 16
    const y = 190 + at * 420
    const half = 210 * Math.sin(Math.acos(1 - 2 * at))
    return path(`M${CENTRE - half} ${y}Q${CENTRE} ${y + 26} ${CENTRE + half} ${y}`, {
      fill: "none",
      stroke: "#c9b48c",
      "stroke-width": 2,
      opacity: 0.65,
    })
  }).join("")
  return (
    cord(canvas, 190) +
    halo(canvas, CENTRE, 400, 400, 0.9) +
    ellipse(CENTRE, 400, 214, 212, {
      fill: canvas.glow(
        [
          [0, "#fffdf2"],
          [0.5, "#fdf0cd"],
          [0.86, "#f0dcae"],
          [1, "#d9c08c"],
        ],
        0.46,
        0.5,
        0.56,
      ),
    }) +
    ribs +
    ellipse(CENTRE, 192, 44, 8, { fill: "#8f7a52" }) +
    ellipse(CENTRE, 610, 40, 8, { fill: "#8f7a52" })
  )
}

export function tableLamp(canvas: Canvas, colour: string): string {
  const shade = "M292 170H508L580 380Q400 418 220 380Z"
  return (
    canvas.shadow(CENTRE, TABLE + 6, 120) +
    ellipse(CENTRE, TABLE + 20, 280, 60, { fill: WARM, opacity: 0.35, filter: canvas.blur(24) }) +
    rect(390, 372, 20, 66, { fill: canvas.turned("#c8a24e") }) +
    turned(
      canvas,
      CENTRE,
      [
        [24, 424],
        [64, 448],
        [112, 510],
        [104, 572],
        [74, TABLE + 2],
      ],
      colour,
      { mouth: false, speckles: 110 },
    ) +
    halo(canvas, CENTRE, 320, 360, 0.8) +
    path(shade, { fill: linen(canvas, "#f3e3c0") }) +
    path(shade, {
      fill: canvas.glow(
        [
          [0, "#fffbe6", 0.95],
          [0.5, "#ffefc2", 0.5],
          [1, "#d8b878", 0.55],
        ],
        0.5,
        0.6,
        0.62,
      ),
    }) +
    path("M292 170Q400 190 508 170", { fill: "none", stroke: "#cdb27d", "stroke-width": 3 }) +
    path("M220 380Q400 418 580 380", { fill: "none", stroke: "#bfa06a", "stroke-width": 4 })
  )
}

export function portableLamp(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, TABLE + 4, 100) +
    ellipse(CENTRE, TABLE + 24, 230, 54, { fill: WARM, opacity: 0.4, filter: canvas.blur(22) }) +
    path("M310 300C310 190 490 190 490 300", {
      fill: "none",
      stroke: darker(colour, 0.2),
      "stroke-width": 11,
    }) +
    halo(canvas, CENTRE, 420, 280, 0.85) +
    path("M322 330H478L486 520H314Z", {
      fill: canvas.gradient([
        [0, "#e8cf96", 0.9],
        [0.3, "#fffbe8", 0.95],
        [0.7, "#fff2cb", 0.9],
        [1, "#d8b673", 0.9],
      ]),
    }) +
    ellipse(CENTRE, 430, 30, 50, { fill: "#fffef6", filter: canvas.blur(6) }) +
    turned(
      canvas,
      CENTRE,
      [
        [70, 282],
        [92, 304],
        [94, 334],
      ],
      colour,
      { mouth: false },
    ) +
    turned(
      canvas,
      CENTRE,
      [
        [96, 516],
        [102, 540],
        [100, TABLE],
      ],
      colour,
      { mouth: false },
    ) +
    ellipse(CENTRE, 566, 12, 12, { fill: lighter(colour, 0.45), opacity: 0.8 })
  )
}

export function floorLamp(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(280, 706, 130, 22) +
    ellipse(280, 700, 128, 24, { fill: canvas.turned(colour) }) +
    ellipse(280, 692, 122, 20, { fill: lighter(colour, 0.12) }) +
    rect(273, 150, 14, 546, { fill: canvas.turned(colour) }) +
    path(
      smooth([
        [280, 156],
        [330, 116],
        [430, 112],
        [520, 168],
      ]),
      { fill: "none", stroke: darker(colour, 0.1), "stroke-width": 13, "stroke-linecap": "round" },
    ) +
    ellipse(280, 154, 15, 15, {
      fill: canvas.glow(
        [
          [0, "#f0d592"],
          [1, "#8f6d2b"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    }) +
    path("M440 310L620 270L760 800H380Z", {
      fill: canvas.gradient(
        [
          [0, WARM, 0.5],
          [1, WARM, 0],
        ],
        true,
      ),
      filter: canvas.blur(16),
    }) +
    group(
      path("M-60 0C-60 -70 -30 -112 0 -112S60 -70 60 0Z", {
        fill: canvas.turned(colour),
        transform: "scale(1.6 1.25)",
      }) +
        ellipse(0, 0, 96, 24, {
          fill: canvas.glow([
            [0, "#fffbe9"],
            [0.5, "#ffeab0"],
            [1, "#d9b973"],
          ]),
        }),
      { transform: "translate(540 290) rotate(-12)" },
    ) +
    halo(canvas, 544, 310, 190, 0.7)
  )
}
