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
  woodGrain,
} from "./svg"

const PAPER = "#f8f4ec"

function book(
  canvas: Canvas,
  colour: string,
  width: number,
  height: number,
  thickness: number,
): string {
  const x = -width / 2
  const y = -height / 2
  return (
    rect(
      x + 12,
      y + 18,
      width + thickness,
      height,
      { fill: "#3a2a20", opacity: 0.38, filter: canvas.blur(16) },
      8,
    ) +
    rect(
      x + thickness * 0.7,
      y + thickness * 0.8,
      width,
      height,
      { fill: darker(colour, 0.34) },
      8,
    ) +
    rect(x + thickness * 0.5, y + thickness * 0.55, width - 4, height - 3, { fill: "#e9e0cf" }, 5) +
    rect(x, y, width, height, { fill: linen(canvas, colour) }, 8) +
    rect(x, y, width * 0.1, height, { fill: darker(colour, 0.18), opacity: 0.6 }, 6) +
    rect(
      x,
      y,
      width,
      height,
      {
        fill: canvas.gradient([
          [0, "#2a1f1a", 0.14],
          [0.12, "#ffffff", 0.16],
          [1, "#2a1f1a", 0.1],
        ]),
      },
      8,
    )
  )
}

export function notebook(canvas: Canvas, colour: string): string {
  return group(
    book(canvas, colour, 360, 480, 22) +
      rect(-60, -140, 150, 84, { fill: PAPER }, 4) +
      rect(-38, -116, 106, 6, { fill: "#6b5d4f" }, 3) +
      rect(-38, -92, 70, 5, { fill: "#b8aa97" }, 2) +
      rect(122, -240, 15, 480, { fill: darker(colour, 0.42) }) +
      path("M-40 240L-34 300L-46 296L-58 304L-54 240Z", { fill: "#b5694a" }),
    { transform: "translate(400 400) rotate(-8)" },
  )
}

export function pocketBooks(canvas: Canvas, colour: string): string {
  const one = (x: number, y: number, angle: number, tone: string) =>
    group(
      book(canvas, tone, 250, 360, 9) +
        line(-116, -180, -116, 180, {
          stroke: "#f8f4ec",
          "stroke-width": 3,
          "stroke-dasharray": "12 9",
        }) +
        ellipse(18, -70, 32, 32, { fill: "none", stroke: PAPER, "stroke-width": 4 }) +
        rect(-40, 92, 116, 6, { fill: PAPER, opacity: 0.8 }, 3),
      { transform: `translate(${x} ${y}) rotate(${angle})` },
    )
  return one(292, 372, -14, colour) + one(404, 400, -2, "#c9973f") + one(512, 436, 11, "#7f8a62")
}

export function planner(canvas: Canvas, colour: string): string {
  const columns = Array.from({ length: 7 }, (_, index) => {
    const x = 132 + index * 77
    return (
      rect(x, 290, 65, 8, { fill: index === 6 ? "#b5694a" : "#6b5d4f" }, 4) +
      Array.from({ length: index === 6 ? 0 : 8 }, (_, row) =>
        line(x, 336 + row * 30, x + 65, 336 + row * 30, { stroke: "#d9cfbf", "stroke-width": 2 }),
      ).join("")
    )
  }).join("")
  return (
    group(
      rect(118, 222, 580, 390, { fill: "#3a2a20", opacity: 0.34, filter: canvas.blur(18) }, 8) +
        rect(110, 206, 580, 390, { fill: "#e2d8c6" }, 6) +
        rect(108, 202, 580, 390, { fill: "#efe7d9" }, 6) +
        rect(106, 198, 580, 390, { fill: PAPER }, 6) +
        rect(
          106,
          198,
          580,
          46,
          {
            fill: canvas.gradient([
              [0, lighter(colour, 0.1)],
              [1, darker(colour, 0.1)],
            ]),
          },
          6,
        ) +
        columns +
        path(
          "M214 380q20 -12 34 4t36 -4M290 440q18 -10 30 2t30 0M366 410q22 -14 36 2t28 -4M520 350q20 -12 34 4t36 -4",
          { fill: "none", stroke: "#5c7a8c", "stroke-width": 4, "stroke-linecap": "round" },
        ),
      { transform: "rotate(-5 400 400)" },
    ) + pencil(canvas, 560, 560, 62, "#c9973f", 330)
  )
}

function pencil(
  canvas: Canvas,
  x: number,
  y: number,
  angle: number,
  colour: string,
  length: number,
): string {
  return group(
    rect(
      -10,
      -length / 2 + 12,
      28,
      length,
      { fill: "#3a2a20", opacity: 0.36, filter: canvas.blur(7) },
      6,
    ) +
      rect(-13, -length / 2, 26, length - 46, {
        fill: canvas.gradient([
          [0, darker(colour, 0.22)],
          [0.3, colour],
          [0.34, lighter(colour, 0.3)],
          [0.64, colour],
          [0.68, darker(colour, 0.2)],
          [1, darker(colour, 0.34)],
        ]),
      }) +
      path(`M-13 ${length / 2 - 46}H13L0 ${length / 2}Z`, {
        fill: canvas.gradient([
          [0, "#d8b384"],
          [0.5, "#f0d8b2"],
          [1, "#b98f5f"],
        ]),
      }) +
      path(`M-4 ${length / 2 - 14}H4L0 ${length / 2}Z`, { fill: "#2c2a28" }) +
      rect(-13, -length / 2 - 6, 26, 12, { fill: "#e6cba0" }, 3),
    { transform: `translate(${x} ${y}) rotate(${angle})` },
  )
}

export function pencils(canvas: Canvas, colour: string): string {
  const tones = [colour, "#b5694a", "#5c7a8c", "#7f8a62", "#2c3946", "#d29d93"]
  return tones
    .map((tone, index) =>
      pencil(canvas, 205 + index * 78, 400 + (index % 2) * 16, (index - 2.5) * 2.2, tone, 500),
    )
    .join("")
}

export function pen(canvas: Canvas, colour: string): string {
  const body = "M-19 -250Q-19 -266 0 -266T19 -250V150L8 214H-8L-19 150Z"
  return (
    path("M120 610C220 540 300 640 390 574S560 560 680 600", {
      fill: "none",
      stroke: "#2c3946",
      "stroke-width": 5,
      "stroke-linecap": "round",
      opacity: 0.75,
    }) +
    group(
      path(body, {
        fill: "#3a2a20",
        opacity: 0.4,
        filter: canvas.blur(9),
        transform: "translate(16 14)",
      }) +
        path(body, { fill: canvas.turned(colour) }) +
        rect(-19, -40, 38, 7, { fill: darker(colour, 0.4) }) +
        rect(-19, -28, 38, 3, { fill: darker(colour, 0.4) }) +
        Array.from({ length: 9 }, (_, index) =>
          rect(-19, 62 + index * 9, 38, 3, { fill: darker(colour, 0.34), opacity: 0.7 }),
        ).join("") +
        path("M-8 214H8L2 244H-2Z", { fill: "#d9dcdd" }) +
        rect(17, -236, 9, 130, { fill: canvas.turned(lighter(colour, 0.1)) }, 4),
      { transform: "translate(420 340) rotate(38) scale(1.12)" },
    )
  )
}

function motif(canvas: Canvas, colour: string): string {
  const tone = darker(colour, 0.2)
  return (
    path("M0 110C-4 40 4 -10 0 -70", {
      fill: "none",
      stroke: darker(tone, 0.2),
      "stroke-width": 5,
      "stroke-linecap": "round",
    }) +
    [-70, -40, -10, 20, 50]
      .map((y, index) =>
        [-1, 1]
          .map((side) =>
            path(
              `M0 ${y}C${side * 26} ${y - 26} ${side * 56} ${y - 20} ${side * 66} ${y - 36 + index * 3}C${side * 54} ${y + 8} ${side * 24} ${y + 12} 0 ${y}Z`,
              {
                fill: index % 2 ? tone : lighter(tone, 0.24),
              },
            ),
          )
          .join(""),
      )
      .join("") +
    ellipse(0, -98, 20, 24, {
      fill: canvas.glow(
        [
          [0, lighter(colour, 0.2)],
          [1, tone],
        ],
        0.4,
        0.3,
        0.8,
      ),
    })
  )
}

export function cards(canvas: Canvas, colour: string): string {
  const envelope =
    rect(-196, -130, 400, 280, { fill: "#3a2a20", opacity: 0.32, filter: canvas.blur(14) }, 6) +
    rect(-204, -140, 400, 280, { fill: lighter(colour, 0.2) }, 6) +
    path("M-204 -134L-4 20L196 -134", {
      fill: "none",
      stroke: darker(colour, 0.2),
      "stroke-width": 3,
    }) +
    path("M-204 -140L-4 12L196 -140Z", { fill: colour, opacity: 0.6 })
  const card =
    rect(-134, -184, 284, 384, { fill: "#3a2a20", opacity: 0.32, filter: canvas.blur(14) }, 4) +
    rect(-142, -192, 284, 384, { fill: PAPER }, 4) +
    rect(
      -122,
      -172,
      244,
      344,
      { fill: "none", stroke: lighter(colour, 0.2), "stroke-width": 2.4 },
      2,
    ) +
    group(motif(canvas, colour), { transform: "translate(0 6) scale(1.3)" })
  return (
    group(envelope, { transform: "translate(452 500) rotate(-9)" }) +
    group(card, { transform: "translate(360 350) rotate(7)" })
  )
}

export function paperRoll(canvas: Canvas, colour: string): string {
  const pattern = canvas.pattern(
    70,
    70,
    `<rect width="70" height="70" fill="${colour}"/><g fill="none" stroke="#f1ede6" stroke-width="3" opacity="0.85"><path d="M20 44V16M20 24l-9 -8M20 24l9 -8M20 34l-10 -8M20 34l10 -8"/><path d="M55 78V50M55 58l-9 -8M55 58l9 -8M55 8V-20"/></g><circle cx="55" cy="20" r="4" fill="#c9973f"/><circle cx="20" cy="58" r="4" fill="#c9973f"/>`,
    "rotate(14)",
  )
  const roll = (x: number, y: number, angle: number, fill: string, tone: string) =>
    group(
      rect(-250, -44, 520, 110, { fill: "#3a2a20", opacity: 0.36, filter: canvas.blur(14) }, 40) +
        rect(-264, -54, 528, 108, { fill }, 4) +
        rect(
          -264,
          -54,
          528,
          108,
          {
            fill: canvas.gradient(
              [
                [0, "#2a1f1a", 0.16],
                [0.3, "#ffffff", 0.3],
                [0.55, "#ffffff", 0],
                [1, "#2a1f1a", 0.46],
              ],
              true,
            ),
          },
          4,
        ) +
        ellipse(264, 0, 20, 54, { fill: lighter(tone, 0.5) }) +
        ellipse(264, 0, 12, 34, { fill: "#b9a37e" }) +
        ellipse(266, 0, 8, 24, { fill: "#4a3b2b" }) +
        rect(-70, -56, 60, 112, { fill: "#e8d9bb" }) +
        rect(-70, -10, 60, 3, { fill: "#b5694a" }),
      { transform: `translate(${x} ${y}) rotate(${angle})` },
    )
  return roll(404, 290, -16, "#d29d93", "#d29d93") + roll(396, 470, -8, pattern, colour)
}

export function deskTray(canvas: Canvas, colour: string): string {
  const tray =
    "M130 290H670Q700 290 700 320V520Q700 550 670 550H130Q100 550 100 520V320Q100 290 130 290Z"
  const well = (x: number, width: number) =>
    rect(
      x,
      320,
      width,
      200,
      {
        fill: canvas.gradient(
          [
            [0, darker(colour, 0.42)],
            [0.2, darker(colour, 0.2)],
            [1, darker(colour, 0.1)],
          ],
          true,
        ),
      },
      20,
    )
  const clips = [
    [566, 400, 20],
    [604, 440, -40],
    [560, 470, 70],
    [618, 380, 10],
  ]
    .map(([x = 0, y = 0, angle = 0]) =>
      path("M-8 -22V16a8 8 0 0 0 16 0V-18a6 6 0 0 0 -12 0V10", {
        fill: "none",
        stroke: "#c8a24e",
        "stroke-width": 4,
        transform: `translate(${x} ${y}) rotate(${angle})`,
      }),
    )
    .join("")
  return (
    path(tray, {
      fill: "#3a2a20",
      opacity: 0.36,
      filter: canvas.blur(18),
      transform: "translate(12 24)",
    }) +
    path(tray, { fill: darker(colour, 0.28), transform: "translate(0 9)" }) +
    path(tray, {
      fill: canvas.gradient([
        [0, lighter(colour, 0.2)],
        [1, darker(colour, 0.06)],
      ]),
    }) +
    woodGrain(canvas, colour, { x: 100, y: 290, width: 600, height: 260 }, tray) +
    well(128, 360) +
    well(512, 160) +
    group(
      pencil(canvas, 310, 400, 84, "#3f5a4c", 300) + pencil(canvas, 306, 458, 97, "#b5694a", 280),
    ) +
    clips
  )
}

export function giftCard(canvas: Canvas, colour: string): string {
  const card = (x: number, y: number, angle: number, tone: string) =>
    group(
      rect(-210, -128, 440, 280, { fill: "#3a2a20", opacity: 0.36, filter: canvas.blur(16) }, 22) +
        rect(
          -220,
          -140,
          440,
          280,
          {
            fill: canvas.gradient([
              [0, lighter(tone, 0.16)],
              [1, darker(tone, 0.16)],
            ]),
          },
          22,
        ) +
        rect(-220, -24, 440, 40, { fill: "#f1ede6", opacity: 0.92 }) +
        rect(70, -140, 40, 280, { fill: "#f1ede6", opacity: 0.92 }) +
        group(
          path("M0 0C-70 -66 -116 -20 -90 8C-70 30 -24 16 0 0Z", { fill: "#fffaf0" }) +
            path("M0 0C70 -66 116 -20 90 8C70 30 24 16 0 0Z", { fill: "#e8dfd0" }) +
            ellipse(0, 0, 18, 17, { fill: "#d9cdb9" }),
          { transform: "translate(90 -4)" },
        ) +
        rect(-186, 66, 120, 8, { fill: "#f1ede6", opacity: 0.8 }, 4) +
        rect(-186, 90, 76, 6, { fill: "#f1ede6", opacity: 0.6 }, 3),
      { transform: `translate(${x} ${y}) rotate(${angle})` },
    )
  return card(CENTRE + 26, 330, 10, "#7f8a62") + card(CENTRE - 10, 448, -7, colour)
}
