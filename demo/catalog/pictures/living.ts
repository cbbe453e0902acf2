import {
  type Canvas,
  CENTRE,
  darker,
  ellipse,
  group,
  knit,
  lighter,
  line,
  linen,
  path,
  rect,
  TABLE,
  turned,
  turnedPath,
  woodGrain,
} from "./svg"

function fringe(x: number, y: number, width: number, colour: string): string {
  return Array.from({ length: Math.round(width / 13) }, (_, index) =>
    path(`M${x + index * 13} ${y}q${index % 2 ? 5 : -4} 18 ${index % 3 ? 0 : 3} 38`, {
      fill: "none",
      stroke: darker(colour, index % 2 ? 0.22 : 0.06),
      "stroke-width": 5,
      "stroke-linecap": "round",
    }),
  ).join("")
}

function folded(canvas: Canvas, fabric: string, colour: string): string {
  const layer = (y: number, height: number, width: number) => {
    const x = CENTRE - width / 2
    const d = `M${x + 34} ${y}H${x + width - 10}Q${x + width} ${y} ${x + width} ${y + 10}V${y + height}H${x + 34}Q${x} ${y + height} ${x} ${y + height / 2}T${x + 34} ${y}Z`
    return (
      path(d, { fill: fabric }) +
      path(d, {
        fill: canvas.gradient(
          [
            [0, "#ffffff", 0.22],
            [0.3, "#ffffff", 0],
            [1, "#2a1f1a", 0.3],
          ],
          true,
        ),
      })
    )
  }
  return (
    canvas.shadow(CENTRE, TABLE + 20, 250, 34) +
    layer(534, 96, 480) +
    layer(442, 98, 462) +
    layer(356, 92, 446) +
    fringe(196, 444, 410, colour)
  )
}

export function throwBlanket(canvas: Canvas, colour: string): string {
  return folded(canvas, knit(canvas, colour, 1.15), colour)
}

export function checkedBlanket(canvas: Canvas, colour: string): string {
  const wool = "#efe8da"
  const check = canvas.pattern(
    96,
    96,
    `<rect width="96" height="96" fill="${wool}"/><rect width="48" height="96" fill="${colour}" opacity="0.55"/><rect width="96" height="48" fill="${colour}" opacity="0.55"/><rect x="70" width="5" height="96" fill="${darker(colour, 0.3)}" opacity="0.7"/><rect y="70" width="96" height="5" fill="${darker(colour, 0.3)}" opacity="0.7"/>`,
  )
  return folded(canvas, check, colour)
}

function pillow(canvas: Canvas, fabric: string, colour: string, wide = false): string {
  const d = wide
    ? "M120 292C110 270 128 256 152 262Q400 286 648 262C672 256 690 270 680 292Q660 410 680 528C690 552 672 566 648 560Q400 536 152 560C128 566 110 552 120 528Q140 410 120 292Z"
    : "M190 220C180 196 200 178 226 186Q400 214 574 186C600 178 620 196 610 220Q586 400 612 584C620 610 600 628 574 620Q400 594 226 620C200 628 180 610 188 584Q214 400 190 220Z"
  return (
    path(d, {
      fill: "#3a2a20",
      opacity: 0.36,
      filter: canvas.blur(20),
      transform: "translate(18 24)",
    }) +
    path(d, { fill: fabric }) +
    path(d, {
      fill: canvas.glow(
        [
          [0, "#ffffff", 0.3],
          [0.5, "#ffffff", 0],
          [1, "#2a1f1a", 0.42],
        ],
        0.4,
        0.36,
        0.68,
      ),
    }) +
    path(d, { fill: "none", stroke: darker(colour, 0.26), "stroke-width": 6, opacity: 0.7 })
  )
}

export function cushion(canvas: Canvas, colour: string): string {
  return (
    pillow(canvas, linen(canvas, colour), colour) +
    path("M250 240Q330 330 300 400M560 250Q500 320 520 380M270 570Q330 520 330 470", {
      fill: "none",
      stroke: darker(colour, 0.3),
      "stroke-width": 10,
      "stroke-linecap": "round",
      opacity: 0.22,
      filter: canvas.blur(5),
    })
  )
}

export function stripedCushion(canvas: Canvas, colour: string): string {
  const stripes = canvas.pattern(
    44,
    44,
    `<rect width="44" height="44" fill="#f1ede6"/><rect x="4" width="14" height="44" fill="${colour}"/><rect x="26" width="3" height="44" fill="${colour}"/><rect x="34" width="3" height="44" fill="${colour}"/>`,
  )
  return pillow(canvas, stripes, colour, true)
}

function leg(
  canvas: Canvas,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  width = 24,
): string {
  const half = width / 2
  return path(`M${x1 - half} ${y1}H${x1 + half}L${x2 + half * 0.62} ${y2}H${x2 - half * 0.62}Z`, {
    fill: canvas.gradient([
      [0, lighter(colour, 0.16)],
      [0.5, colour],
      [1, darker(colour, 0.34)],
    ]),
  })
}

export function stool(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, 690, 190, 30) +
    leg(canvas, 400, 320, 404, 660, darker(colour, 0.2), 26) +
    line(292, 520, 508, 520, {
      stroke: darker(colour, 0.25),
      "stroke-width": 14,
      "stroke-linecap": "round",
    }) +
    leg(canvas, 308, 310, 236, 692, colour, 30) +
    leg(canvas, 492, 310, 566, 692, darker(colour, 0.08), 30) +
    path(
      turnedPath(
        CENTRE,
        [
          [186, 268],
          [188, 286],
          [176, 308],
        ],
        0.3,
      ),
      { fill: canvas.turned(darker(colour, 0.1)) },
    ) +
    ellipse(CENTRE, 268, 186, 56, {
      fill: canvas.gradient([
        [0, lighter(colour, 0.3)],
        [1, darker(colour, 0.04)],
      ]),
    }) +
    woodGrain(
      canvas,
      colour,
      { x: 200, y: 212, width: 400, height: 112 },
      "M214 268a186 56 0 1 0 372 0a186 56 0 1 0 -372 0Z",
    ) +
    ellipse(CENTRE, 270, 130, 34, {
      fill: canvas.glow([
        [0, darker(colour, 0.16), 0.5],
        [1, darker(colour, 0.1), 0],
      ]),
    })
  )
}

export function chair(canvas: Canvas, colour: string, accent = "#cdb692"): string {
  const wood = (x1: number, y1: number, x2: number, y2: number, width = 22) =>
    line(x1, y1, x2, y2, {
      stroke: darker(colour, 0.3),
      "stroke-width": width + 2,
      "stroke-linecap": "round",
    }) +
    line(x1 - 2, y1 - 2, x2 - 2, y2 - 2, {
      stroke: colour,
      "stroke-width": width - 4,
      "stroke-linecap": "round",
    }) +
    line(x1 - 5, y1 - 4, x2 - 5, y2 - 4, {
      stroke: lighter(colour, 0.36),
      "stroke-width": width * 0.22,
      "stroke-linecap": "round",
    })
  const seat = "M206 440L560 420L612 480L250 508Z"
  const back = "M236 168C330 150 440 150 520 166L548 420L214 440Z"
  const fabric = linen(canvas, accent)
  return (
    canvas.shadow(410, 690, 250, 34) +
    wood(226, 200, 180, 640, 20) +
    wood(530, 196, 590, 640, 20) +
    path(back, { fill: fabric }) +
    path(back, {
      fill: canvas.glow(
        [
          [0, "#ffffff", 0.26],
          [0.55, "#ffffff", 0],
          [1, "#2a1f1a", 0.36],
        ],
        0.42,
        0.4,
        0.7,
      ),
    }) +
    path("M232 300Q380 280 536 296", {
      fill: "none",
      stroke: darker(accent, 0.36),
      "stroke-width": 5,
      opacity: 0.6,
    }) +
    ellipse(384, 292, 9, 9, { fill: darker(accent, 0.34) }) +
    path("M206 440L560 420L612 480L616 520L254 552L202 478Z", { fill: darker(accent, 0.22) }) +
    path(seat, { fill: fabric }) +
    path(seat, {
      fill: canvas.gradient([
        [0, "#ffffff", 0.2],
        [1, "#2a1f1a", 0.12],
      ]),
    }) +
    wood(150, 350, 286, 366, 22) +
    wood(536, 348, 668, 366, 22) +
    wood(272, 370, 262, 690, 24) +
    wood(652, 372, 640, 690, 24) +
    wood(262, 560, 640, 540, 18)
  )
}

export function sideTable(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, 690, 150, 24) +
    ellipse(CENTRE, 686, 146, 28, { fill: canvas.turned(colour) }) +
    ellipse(CENTRE, 679, 140, 24, { fill: lighter(colour, 0.1) }) +
    rect(386, 350, 28, 330, { fill: canvas.turned(colour) }) +
    path(
      turnedPath(
        CENTRE,
        [
          [238, 318],
          [240, 334],
          [226, 350],
        ],
        0.22,
      ),
      { fill: canvas.turned(darker(colour, 0.06)) },
    ) +
    ellipse(CENTRE, 318, 238, 54, { fill: lighter(colour, 0.3) }) +
    ellipse(CENTRE, 321, 228, 48, {
      fill: canvas.gradient([
        [0, darker(colour, 0.14)],
        [1, lighter(colour, 0.12)],
      ]),
    }) +
    // A book and a glass, so that it has a use.
    path("M262 300L400 284L432 312L290 332Z", { fill: "#efe7da" }) +
    path("M262 292L400 276L432 304L290 324Z", { fill: "#5c7a8c" }) +
    path(
      turnedPath(494, [
        [34, 220],
        [32, 262],
        [28, 308],
      ]),
      { fill: "#dfeaea", opacity: 0.75 },
    ) +
    path(
      turnedPath(494, [
        [31, 258],
        [29, 280],
        [27, 304],
      ]),
      { fill: "#c9973f", opacity: 0.55 },
    ) +
    ellipse(494, 220, 34, 5.5, { fill: "none", stroke: "#ffffff", "stroke-width": 3 })
  )
}

export function basket(canvas: Canvas, colour: string): string {
  const body = turnedPath(CENTRE, [
    [198, 356],
    [204, 420],
    [192, 540],
    [160, TABLE + 20],
  ])
  const weave = canvas.pattern(
    36,
    28,
    `<rect width="36" height="28" fill="${darker(colour, 0.3)}"/><rect x="1" y="1" width="17" height="13" rx="5" fill="${colour}"/><rect x="19" y="1" width="17" height="13" rx="5" fill="${lighter(colour, 0.16)}"/><rect x="-8" y="15" width="17" height="13" rx="5" fill="${lighter(colour, 0.08)}"/><rect x="10" y="15" width="17" height="13" rx="5" fill="${darker(colour, 0.1)}"/><rect x="28" y="15" width="17" height="13" rx="5" fill="${lighter(colour, 0.08)}"/>`,
  )
  const grip = (x: number, tilt: number) =>
    path(`M${x - 44} 372C${x - 44} 268 ${x + 44} 268 ${x + 44} 372`, {
      fill: "none",
      stroke: darker(colour, 0.2),
      "stroke-width": 20,
      transform: `rotate(${tilt} ${x} 372)`,
    }) +
    path(`M${x - 44} 372C${x - 44} 268 ${x + 44} 268 ${x + 44} 372`, {
      fill: "none",
      stroke: lighter(colour, 0.12),
      "stroke-width": 9,
      "stroke-dasharray": "13 7",
      transform: `rotate(${tilt} ${x} 372)`,
    })
  const wool = [
    [330, 330, "#b5694a"],
    [452, 318, "#7f8a62"],
    [396, 296, "#e0d3bd"],
  ] as const
  return (
    canvas.shadow(CENTRE, TABLE + 26, 200) +
    grip(280, -14) +
    grip(520, 14) +
    ellipse(CENTRE, 356, 198, 32, { fill: darker(colour, 0.55) }) +
    wool
      .map(
        ([x, y, tone]) =>
          ellipse(x, y, 74, 66, {
            fill: canvas.glow(
              [
                [0, lighter(tone, 0.3)],
                [0.6, tone],
                [1, darker(tone, 0.34)],
              ],
              0.38,
              0.32,
              0.75,
            ),
          }) +
          [-30, -10, 12, 32]
            .map((bend) =>
              path(`M${x - 62} ${y + bend}Q${x} ${y + bend - 50} ${x + 62} ${y + bend * 0.6}`, {
                fill: "none",
                stroke: darker(tone, 0.24),
                "stroke-width": 3,
                opacity: 0.7,
              }),
            )
            .join(""),
      )
      .join("") +
    path(body, { fill: weave }) +
    path(body, {
      fill: canvas.gradient([
        [0, "#2a1f1a", 0.4],
        [0.25, "#ffffff", 0.16],
        [0.5, "#ffffff", 0],
        [1, "#2a1f1a", 0.46],
      ]),
    }) +
    path("M202 356A198 32 0 0 0 598 356L600 386A200 33 0 0 1 200 386Z", {
      fill: canvas.turned(darker(colour, 0.06)),
    })
  )
}

export function clock(canvas: Canvas, colour: string): string {
  const pale = colour === "#f1ede6"
  const hand = pale ? "#2c3946" : "#f1ede6"
  const marks = Array.from({ length: 12 }, (_, index) =>
    rect(
      CENTRE - 3,
      196,
      6,
      index % 3 === 0 ? 34 : 16,
      { fill: hand, opacity: 0.75, transform: `rotate(${index * 30} ${CENTRE} 400)` },
      3,
    ),
  ).join("")
  return (
    ellipse(CENTRE + 24, 432, 238, 236, {
      fill: "#3a2a20",
      opacity: 0.36,
      filter: canvas.blur(22),
    }) +
    ellipse(CENTRE, 400, 238, 238, {
      fill: canvas.gradient([
        [0, "#e3c698"],
        [0.5, "#c79f6c"],
        [1, "#8a643c"],
      ]),
    }) +
    ellipse(CENTRE, 400, 222, 222, {
      fill: canvas.glow(
        [
          [0, lighter(colour, 0.2)],
          [0.8, colour],
          [1, darker(colour, 0.2)],
        ],
        0.4,
        0.36,
        0.75,
      ),
    }) +
    marks +
    rect(CENTRE - 7, 290, 14, 128, { fill: hand, transform: `rotate(305 ${CENTRE} 400)` }, 7) +
    rect(CENTRE - 5, 228, 10, 192, { fill: hand, transform: `rotate(50 ${CENTRE} 400)` }, 5) +
    rect(CENTRE - 2, 216, 4, 230, { fill: "#b5694a", transform: `rotate(196 ${CENTRE} 400)` }, 2) +
    ellipse(CENTRE, 400, 15, 15, { fill: "#c79f6c" })
  )
}

export function mirror(canvas: Canvas, colour: string): string {
  return (
    path("M384 130L206 360M416 130L594 360", {
      stroke: colour,
      "stroke-width": 26,
      "stroke-linecap": "round",
    }) +
    path("M384 130L206 360M416 130L594 360", {
      stroke: lighter(colour, 0.2),
      "stroke-width": 3,
      "stroke-dasharray": "10 8",
      transform: "translate(-6 0)",
    }) +
    ellipse(CENTRE + 20, 480, 222, 220, {
      fill: "#3a2a20",
      opacity: 0.34,
      filter: canvas.blur(20),
    }) +
    ellipse(CENTRE, 450, 222, 222, {
      fill: canvas.gradient([
        [0, lighter(colour, 0.24)],
        [1, darker(colour, 0.3)],
      ]),
    }) +
    ellipse(CENTRE, 450, 206, 206, {
      fill: canvas.gradient(
        [
          [0, "#eef3f2"],
          [0.45, "#cfdcdc"],
          [0.55, "#b6c7c9"],
          [1, "#dfe7e4"],
        ],
        true,
      ),
    }) +
    group(
      path("M150 600L420 200H500L230 680Z", { fill: "#ffffff", opacity: 0.5 }) +
        path("M280 680L560 250H586L320 690Z", { fill: "#ffffff", opacity: 0.4 }) +
        path("M190 560Q300 510 400 552T620 540V680H190Z", { fill: "#a9bfae", opacity: 0.5 }),
      { "clip-path": canvas.clip("M194 450a206 206 0 1 0 412 0a206 206 0 1 0 -412 0Z") },
    ) +
    ellipse(CENTRE, 122, 18, 18, {
      fill: canvas.glow(
        [
          [0, "#f0d592"],
          [1, "#8f6d2b"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    })
  )
}

export function rug(canvas: Canvas, colour: string): string {
  const outline = "M196 130H604L660 660H140Z"
  const bands = [0.08, 0.14, 0.3, 0.36, 0.62, 0.68, 0.84, 0.9]
    .map((at, index) => {
      const y = 130 + at * 530
      const half = 204 + at * 56
      return path(`M${CENTRE - half} ${y}H${CENTRE + half}`, {
        stroke: index % 2 ? "#f1ede6" : darker(colour, 0.4),
        "stroke-width": index % 2 ? 7 : 15,
        opacity: 0.85,
      })
    })
    .join("")
  const diamonds = Array.from({ length: 5 }, (_, index) => {
    const x = 188 + index * 88
    return (
      path(`M${x} 395L${x + 36} 350L${x + 72} 395L${x + 36} 440Z`, {
        fill: "#f1ede6",
        opacity: 0.85,
      }) +
      path(`M${x + 18} 395L${x + 36} 373L${x + 54} 395L${x + 36} 417Z`, {
        fill: darker(colour, 0.4),
      })
    )
  }).join("")
  return (
    path(outline, {
      fill: "#3a2a20",
      opacity: 0.3,
      filter: canvas.blur(14),
      transform: "translate(10 14)",
    }) +
    fringe(142, 660, 520, "#efe8da") +
    path(outline, { fill: linen(canvas, colour) }) +
    group(bands + diamonds, { "clip-path": canvas.clip(outline) }) +
    path(outline, {
      fill: canvas.gradient(
        [
          [0, "#2a1f1a", 0.18],
          [1, "#ffffff", 0.08],
        ],
        true,
      ),
    })
  )
}

export function coatRack(canvas: Canvas, colour: string): string {
  const rail = "M90 280H710Q724 280 724 294V346Q724 360 710 360H90Q76 360 76 346V294Q76 280 90 280Z"
  const peg = (x: number) =>
    ellipse(x + 8, 346, 24, 24, { fill: "#2a1f1a", opacity: 0.4, filter: canvas.blur(5) }) +
    ellipse(x, 326, 24, 24, {
      fill: canvas.glow(
        [
          [0, lighter(colour, 0.42)],
          [0.6, colour],
          [1, darker(colour, 0.4)],
        ],
        0.36,
        0.3,
        0.8,
      ),
    })
  const bag = "M232 400H388L404 640Q310 664 216 640Z"
  return (
    path(rail, {
      fill: "#3a2a20",
      opacity: 0.34,
      filter: canvas.blur(14),
      transform: "translate(10 20)",
    }) +
    path(rail, {
      fill: canvas.gradient(
        [
          [0, lighter(colour, 0.26)],
          [0.6, colour],
          [1, darker(colour, 0.24)],
        ],
        true,
      ),
    }) +
    woodGrain(canvas, colour, { x: 70, y: 280, width: 660, height: 80 }, rail) +
    path("M262 404C262 336 300 318 306 318C316 318 358 340 358 404", {
      fill: "none",
      stroke: "#8f7a5a",
      "stroke-width": 12,
    }) +
    path(bag, {
      fill: "#3a2a20",
      opacity: 0.3,
      filter: canvas.blur(12),
      transform: "translate(12 14)",
    }) +
    path(bag, { fill: linen(canvas, "#dccfb6") }) +
    path(bag, {
      fill: canvas.gradient([
        [0, "#2a1f1a", 0.16],
        [0.3, "#ffffff", 0.14],
        [1, "#2a1f1a", 0.24],
      ]),
    }) +
    ellipse(310, 524, 34, 34, { fill: "none", stroke: "#7f8a62", "stroke-width": 6 }) +
    turned(
      canvas,
      556,
      [
        [20, 352],
        [64, 420],
        [78, 470],
      ],
      "#3f5a4c",
      { mouth: false },
    ) +
    ellipse(556, 470, 112, 22, { fill: canvas.turned("#3f5a4c") }) +
    [120, 260 + 50, 400 + 30, 560, 680].map(peg).join("")
  )
}
