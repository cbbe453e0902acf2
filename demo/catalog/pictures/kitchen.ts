import {
  type Canvas,
  CENTRE,
  darker,
  ellipse,
  group,
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

export function cuttingBoard(canvas: Canvas, colour: string): string {
  const board =
    "M214 150Q214 118 246 118H554Q586 118 586 150V548Q586 580 554 580H452V660Q452 700 400 700Q348 700 348 660V580H246Q214 580 214 548Z"
  return (
    path(board, {
      fill: "#3a2a20",
      opacity: 0.34,
      filter: canvas.blur(18),
      transform: "translate(20 22)",
    }) +
    path(board, { fill: darker(colour, 0.3), transform: "translate(5 8)" }) +
    path(board, {
      fill: canvas.gradient([
        [0, lighter(colour, 0.16)],
        [1, darker(colour, 0.08)],
      ]),
    }) +
    group(
      woodGrain(
        canvas,
        colour,
        { x: -100, y: 60, width: 700, height: 640 },
        "M-100 0H700V800H-100Z",
      ),
      {
        "clip-path": canvas.clip(board),
        transform: "rotate(0)",
      },
    ) +
    ellipse(CENTRE, 660, 18, 18, { fill: darker(colour, 0.55) }) +
    ellipse(CENTRE + 2, 663, 15, 15, { fill: "#e5dccd" })
  )
}

export function rollingPin(canvas: Canvas, colour: string): string {
  const pin =
    "M70 400Q70 380 96 378C200 356 260 344 400 344S600 356 704 378Q730 380 730 400Q730 420 704 422C600 444 540 456 400 456S200 444 96 422Q70 420 70 400Z"
  const flour = Array.from({ length: 130 }, () =>
    ellipse(
      180 + canvas.random() * 450,
      480 + canvas.random() * 130,
      1 + canvas.random() * 3,
      1 + canvas.random() * 2.4,
      {
        fill: "#ffffff",
        opacity: 0.7,
      },
    ),
  ).join("")
  return (
    ellipse(400, 560, 240, 50, { fill: "#ffffff", opacity: 0.5, filter: canvas.blur(16) }) +
    flour +
    group(
      path(pin, {
        fill: "#3a2a20",
        opacity: 0.34,
        filter: canvas.blur(16),
        transform: "translate(14 34)",
      }) +
        path(pin, {
          fill: canvas.gradient(
            [
              [0, lighter(colour, 0.2)],
              [0.35, lighter(colour, 0.38)],
              [0.6, colour],
              [1, darker(colour, 0.34)],
            ],
            true,
          ),
        }) +
        woodGrain(canvas, colour, { x: 60, y: 340, width: 680, height: 120 }, pin),
      { transform: "rotate(-24 400 400)" },
    )
  )
}

export function teaTowel(canvas: Canvas, colour: string): string {
  const fabric = linen(canvas, colour)
  const stripe = colour === "#454340" ? lighter(colour, 0.5) : darker(colour, 0.42)
  const folded = (x: number, y: number, width: number, height: number) =>
    rect(
      x + 12,
      y + 18,
      width,
      height,
      { fill: "#3a2a20", opacity: 0.3, filter: canvas.blur(16) },
      10,
    ) +
    rect(x, y, width, height, { fill: fabric }, 12) +
    [0.16, 0.2, 0.24]
      .map((at) => rect(x, y + height * at, width, 5, { fill: stripe, opacity: 0.75 }))
      .join("") +
    rect(
      x,
      y,
      width,
      height,
      {
        fill: canvas.gradient([
          [0, "#ffffff", 0.2],
          [0.5, "#ffffff", 0],
          [1, "#2a1f1a", 0.16],
        ]),
      },
      12,
    ) +
    path(`M${x + 10} ${y + height - 9}H${x + width - 10}`, {
      stroke: darker(colour, 0.24),
      "stroke-width": 2.4,
      "stroke-dasharray": "9 6",
    })
  return (
    group(folded(212, 150, 330, 430), { transform: "rotate(-7 400 400)" }) +
    group(folded(286, 238, 320, 400), { transform: "rotate(5 400 400)" })
  )
}

export function apron(canvas: Canvas, colour: string): string {
  const body =
    "M300 220H500L520 330C540 380 590 396 600 400L586 690H214L200 400C210 396 260 380 280 330Z"
  const strap = {
    fill: "none",
    stroke: darker(colour, 0.26),
    "stroke-width": 13,
    "stroke-linecap": "round",
  }
  return (
    ellipse(CENTRE, 104, 10, 10, { fill: "#8a643c" }) +
    path("M306 226C320 150 370 106 400 104C430 106 480 150 494 226", strap) +
    path(body, {
      fill: "#3a2a20",
      opacity: 0.3,
      filter: canvas.blur(16),
      transform: "translate(20 14)",
    }) +
    path("M204 404C150 440 150 560 176 640", strap) +
    path("M596 404C650 440 650 540 618 616", strap) +
    path(body, { fill: linen(canvas, colour) }) +
    path(body, {
      fill: canvas.gradient([
        [0, "#2a1f1a", 0.22],
        [0.25, "#ffffff", 0.12],
        [0.5, "#2a1f1a", 0.04],
        [0.7, "#ffffff", 0.08],
        [1, "#2a1f1a", 0.26],
      ]),
    }) +
    path(
      "M252 470H388V590Q388 604 374 604H266Q252 604 252 590ZM412 470H548V590Q548 604 534 604H426Q412 604 412 590Z",
      {
        fill: darker(colour, 0.06),
        stroke: darker(colour, 0.32),
        "stroke-width": 2.4,
        "stroke-dasharray": "8 5",
      },
    ) +
    path("M306 234H494", {
      stroke: darker(colour, 0.32),
      "stroke-width": 2.4,
      "stroke-dasharray": "8 5",
    })
  )
}

export function kettle(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, TABLE + 6, 190) +
    path("M236 366C232 190 568 190 564 366", {
      fill: "none",
      stroke: "#4a4744",
      "stroke-width": 13,
    }) +
    path("M320 218Q400 190 480 218L478 244Q400 216 322 244Z", {
      fill: canvas.gradient(
        [
          [0, "#d8b180"],
          [0.5, "#c79f6c"],
          [1, "#8a643c"],
        ],
        true,
      ),
    }) +
    path("M560 470C630 450 636 400 680 356L706 378C676 420 660 520 556 548Z", {
      fill: canvas.gradient(
        [
          [0, lighter(colour, 0.14)],
          [1, darker(colour, 0.3)],
        ],
        true,
      ),
    }) +
    turned(
      canvas,
      CENTRE,
      [
        [104, 360],
        [160, 396],
        [196, 470],
        [190, 556],
        [150, TABLE],
      ],
      colour,
      { mouth: false },
    ) +
    path("M232 440Q262 400 300 386", {
      fill: "none",
      stroke: "#ffffff",
      "stroke-width": 12,
      "stroke-linecap": "round",
      opacity: 0.5,
    }) +
    turned(
      canvas,
      CENTRE,
      [
        [30, 330],
        [84, 344],
        [108, 364],
      ],
      lighter(colour, 0.05),
      { mouth: false },
    ) +
    ellipse(CENTRE, 318, 22, 20, {
      fill: canvas.glow(
        [
          [0, "#e3bf8f"],
          [0.6, "#c79f6c"],
          [1, "#8a643c"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    })
  )
}

/** Something made of glass: edges are dark, the middle shows the room. */
function glass(canvas: Canvas, outline: string, tint: string): string {
  return (
    path(outline, { fill: tint, opacity: 0.24 }) +
    path(outline, {
      fill: canvas.gradient([
        [0, darker(tint, 0.3), 0.6],
        [0.08, tint, 0.2],
        [0.2, "#ffffff", 0.55],
        [0.3, "#ffffff", 0.08],
        [0.75, tint, 0.14],
        [0.93, darker(tint, 0.2), 0.45],
        [1, darker(tint, 0.4), 0.6],
      ]),
    }) +
    path(outline, { fill: "none", stroke: darker(tint, 0.35), "stroke-width": 2, opacity: 0.5 })
  )
}

export function carafe(canvas: Canvas, colour: string): string {
  const body = turnedPath(CENTRE, [
    [44, 236],
    [42, 300],
    [58, 372],
    [116, 450],
    [126, 540],
    [106, TABLE],
  ])
  const water = turnedPath(CENTRE, [
    [104, 440],
    [116, 470],
    [121, 540],
    [102, TABLE - 8],
  ])
  return (
    canvas.shadow(CENTRE, TABLE + 4, 118) +
    path(water, {
      fill: canvas.gradient([
        [0, "#8fb0b8", 0.6],
        [0.4, "#d3e6e6", 0.5],
        [1, "#7fa3ad", 0.65],
      ]),
    }) +
    ellipse(CENTRE, 440, 104, 17, { fill: "#eaf4f3", opacity: 0.75 }) +
    glass(canvas, body, colour) +
    ellipse(CENTRE, 204, 46, 44, {
      fill: canvas.glow(
        [
          [0, "#e8cfa6"],
          [0.6, "#cfa873"],
          [1, "#8f6b41"],
        ],
        0.36,
        0.3,
        0.8,
      ),
    }) +
    Array.from({ length: 18 }, () =>
      ellipse(364 + canvas.random() * 72, 172 + canvas.random() * 64, 2.4, 1.6, {
        fill: "#7b5a35",
        opacity: 0.5,
      }),
    ).join("")
  )
}

export function glasses(canvas: Canvas, colour: string): string {
  const one = (x: number, y: number, scale: number) => {
    const outline = turnedPath(x, [
      [78 * scale, y - 210 * scale],
      [74 * scale, y - 100 * scale],
      [68 * scale, y],
    ])
    const base = turnedPath(x, [
      [69 * scale, y - 18 * scale],
      [66 * scale, y - 4 * scale],
    ])
    return (
      canvas.shadow(x, y + 3, 76 * scale) +
      glass(canvas, outline, colour) +
      path(base, { fill: darker(colour, 0.1), opacity: 0.5 }) +
      ellipse(x, y - 210 * scale, 78 * scale, 12.5 * scale, {
        fill: "none",
        stroke: "#ffffff",
        "stroke-width": 3,
        opacity: 0.85,
      })
    )
  }
  return one(330, 568, 0.92) + one(500, 560, 0.9) + one(238, 650, 1.08) + one(436, 662, 1.1)
}

export function storageJar(canvas: Canvas, colour: string): string {
  const jar = turnedPath(CENTRE, [
    [128, 316],
    [134, 340],
    [134, 560],
    [122, TABLE],
  ])
  const oats = turnedPath(CENTRE, [
    [126, 408],
    [128, 450],
    [128, 560],
    [116, TABLE - 8],
  ])
  return (
    canvas.shadow(CENTRE, TABLE + 4, 138) +
    path(oats, {
      fill: canvas.gradient([
        [0, "#b99a6b"],
        [0.35, "#e6d1a8"],
        [1, "#a98857"],
      ]),
    }) +
    canvas.speckles(oats, "#e6d1a8", 420, { x: 266, y: 404, width: 268, height: 206 }) +
    ellipse(CENTRE, 408, 126, 20, { fill: "#ecdbb8" }) +
    glass(canvas, jar, "#b9cfd2") +
    turned(
      canvas,
      CENTRE,
      [
        [134, 264],
        [136, 290],
        [132, 322],
      ],
      colour,
      { mouth: false },
    ) +
    ellipse(CENTRE, 264, 134, 21, {
      fill: canvas.gradient([
        [0, lighter(colour, 0.34)],
        [1, colour],
      ]),
    }) +
    ellipse(CENTRE, 264, 92, 14, {
      fill: "none",
      stroke: darker(colour, 0.22),
      "stroke-width": 1.6,
      opacity: 0.6,
    }) +
    ellipse(CENTRE, 264, 48, 7, {
      fill: "none",
      stroke: darker(colour, 0.22),
      "stroke-width": 1.6,
      opacity: 0.6,
    })
  )
}

export function pepperMill(canvas: Canvas, colour: string): string {
  const corns = [
    [250, 650],
    [286, 676],
    [226, 690],
    [560, 660],
    [590, 692],
    [536, 700],
  ]
  return (
    canvas.shadow(CENTRE, TABLE + 10, 92) +
    turned(
      canvas,
      CENTRE,
      [
        [62, 320],
        [46, 372],
        [44, 430],
        [76, 500],
        [88, 560],
        [86, TABLE + 6],
      ],
      colour,
      { mouth: false },
    ) +
    rect(340, 306, 120, 14, { fill: canvas.turned("#b3b9bb") }, 4) +
    turned(
      canvas,
      CENTRE,
      [
        [22, 190],
        [62, 226],
        [70, 262],
        [60, 308],
      ],
      colour,
      { mouth: false },
    ) +
    ellipse(CENTRE, 180, 20, 18, {
      fill: canvas.glow(
        [
          [0, "#f4f5f5"],
          [1, "#7d8487"],
        ],
        0.35,
        0.3,
        0.8,
      ),
    }) +
    corns
      .map(
        ([x = 0, y = 0]) =>
          ellipse(x + 3, y + 8, 12, 5, { fill: "#2a1f1a", opacity: 0.3 }) +
          ellipse(x, y, 11, 11, {
            fill: canvas.glow(
              [
                [0, "#6b5a4a"],
                [1, "#261d18"],
              ],
              0.35,
              0.3,
              0.8,
            ),
          }),
      )
      .join("")
  )
}

export function spoons(canvas: Canvas, colour: string): string {
  const spoon = (angle: number, kind: "spoon" | "spatula" | "ladle", tone: string) => {
    const head = {
      spoon:
        "M-46 -250C-46 -330 46 -330 46 -250C46 -196 20 -168 12 -150H-12C-20 -168 -46 -196 -46 -250Z",
      spatula:
        "M-44 -300Q-44 -320 -24 -320H24Q44 -320 44 -300L30 -176Q16 -160 12 -150H-12Q-16 -160 -30 -176Z",
      ladle:
        "M-60 -236C-60 -316 60 -316 60 -236C60 -180 24 -160 12 -150H-12C-24 -160 -60 -180 -60 -236Z",
    }[kind]
    const whole = `${head}M-12 -152L-9 250Q-8 268 0 268Q8 268 9 250L12 -152Z`
    return group(
      path(whole, {
        fill: "#3a2a20",
        opacity: 0.32,
        filter: canvas.blur(10),
        transform: "translate(14 16)",
      }) +
        path(whole, {
          fill: canvas.gradient([
            [0, lighter(tone, 0.2)],
            [0.5, tone],
            [1, darker(tone, 0.26)],
          ]),
        }) +
        (kind === "spatula"
          ? ""
          : ellipse(
              0,
              kind === "ladle" ? -238 : -252,
              kind === "ladle" ? 42 : 32,
              kind === "ladle" ? 40 : 44,
              {
                fill: canvas.gradient([
                  [0, darker(tone, 0.3)],
                  [1, lighter(tone, 0.1)],
                ]),
              },
            )),
      { transform: `translate(400 430) rotate(${angle})` },
    )
  }
  return (
    spoon(-24, "spatula", colour) +
    spoon(2, "ladle", darker(colour, 0.16)) +
    spoon(27, "spoon", lighter(colour, 0.12))
  )
}

export function tray(canvas: Canvas, colour: string): string {
  const outer =
    "M150 220H650Q700 220 700 270V530Q700 580 650 580H150Q100 580 100 530V270Q100 220 150 220Z"
  const inner =
    "M164 246H636Q674 246 674 284V516Q674 554 636 554H164Q126 554 126 516V284Q126 246 164 246Z"
  return (
    path(outer, {
      fill: "#3a2a20",
      opacity: 0.34,
      filter: canvas.blur(20),
      transform: "translate(14 26)",
    }) +
    path(outer, {
      fill: canvas.gradient(
        [
          [0, lighter(colour, 0.3)],
          [1, darker(colour, 0.14)],
        ],
        true,
      ),
    }) +
    path(inner, {
      fill: canvas.gradient(
        [
          [0, darker(colour, 0.14)],
          [0.1, colour],
          [1, lighter(colour, 0.08)],
        ],
        true,
      ),
    }) +
    woodGrain(canvas, colour, { x: 120, y: 246, width: 560, height: 310 }, inner) +
    // Breakfast: a cup from above and a folded note.
    ellipse(292, 412, 92, 88, { fill: "#3a2a20", opacity: 0.26, filter: canvas.blur(10) }) +
    ellipse(284, 400, 92, 90, {
      fill: canvas.glow([
        [0.7, "#f5f1ea"],
        [1, "#d9d0c2"],
      ]),
    }) +
    ellipse(284, 400, 62, 60, { fill: "#efe9df" }) +
    ellipse(284, 400, 56, 54, {
      fill: canvas.glow(
        [
          [0, "#6d452b"],
          [0.8, "#4a2c1b"],
          [1, "#36200f"],
        ],
        0.4,
        0.4,
        0.7,
      ),
    }) +
    ellipse(270, 386, 20, 12, { fill: "#b98a5c", opacity: 0.55 }) +
    rect(450, 330, 150, 112, {
      fill: "#3a2a20",
      opacity: 0.25,
      filter: canvas.blur(8),
      transform: "rotate(8 520 390) translate(6 10)",
    }) +
    rect(450, 330, 150, 112, { fill: "#f8f4ec", transform: "rotate(8 520 390)" }) +
    line(474, 372, 576, 372, {
      stroke: "#b5694a",
      "stroke-width": 4,
      transform: "rotate(8 520 390)",
    }) +
    line(474, 396, 550, 396, {
      stroke: "#cbbfae",
      "stroke-width": 4,
      transform: "rotate(8 520 390)",
    })
  )
}
