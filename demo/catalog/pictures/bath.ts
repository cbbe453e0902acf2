import {
  type Canvas,
  CENTRE,
  darker,
  ellipse,
  group,
  lighter,
  path,
  rect,
  TABLE,
  turned,
  turnedPath,
} from "./svg"

function flame(canvas: Canvas, x: number, y: number, size = 1): string {
  return (
    ellipse(x, y - 34 * size, 90 * size, 90 * size, {
      fill: canvas.glow([
        [0, "#ffe9ae", 0.9],
        [0.4, "#ffd67a", 0.35],
        [1, "#ffd67a", 0],
      ]),
    }) +
    path(
      `M${x} ${y - 74 * size}C${x + 26 * size} ${y - 36 * size} ${x + 18 * size} ${y - 4 * size} ${x} ${y - 2 * size}C${x - 18 * size} ${y - 4 * size} ${x - 22 * size} ${y - 34 * size} ${x} ${y - 74 * size}Z`,
      {
        fill: canvas.gradient(
          [
            [0, "#ffcf5c"],
            [0.5, "#fff3c4"],
            [0.85, "#ff9e3d"],
            [1, "#7d9bd0"],
          ],
          true,
        ),
      },
    ) +
    path(`M${x} ${y + 8}V${y - 14 * size}`, { stroke: "#3a2b22", "stroke-width": 4 })
  )
}

const LABEL = { fill: "#f7f2e8", stroke: "#d9cebb", "stroke-width": 1.4 }

function label(colour: string, x: number, y: number, width: number, height: number): string {
  return (
    rect(x, y, width, height, LABEL, 4) +
    ellipse(x + width / 2, y + height * 0.32, 13, 13, { fill: colour }) +
    rect(x + width * 0.24, y + height * 0.56, width * 0.52, 5, { fill: "#6b5d4f" }, 2) +
    rect(x + width * 0.34, y + height * 0.7, width * 0.32, 4, { fill: "#b8aa97" }, 2)
  )
}

export function jarCandle(canvas: Canvas, colour: string): string {
  const jar = turnedPath(CENTRE, [
    [122, 392],
    [126, 420],
    [126, 560],
    [114, TABLE],
  ])
  return (
    canvas.shadow(CENTRE, TABLE + 4, 130) +
    path(jar, { fill: canvas.turned(lighter(colour, 0.1)) }) +
    ellipse(CENTRE, 392, 122, 20, { fill: lighter(colour, 0.4) }) +
    ellipse(CENTRE, 398, 112, 16, {
      fill: canvas.glow([
        [0, "#fff6da"],
        [1, "#eadbb9"],
      ]),
    }) +
    flame(canvas, CENTRE, 396) +
    path(jar, {
      fill: canvas.gradient([
        [0, "#ffffff", 0],
        [0.14, "#ffffff", 0.5],
        [0.22, "#ffffff", 0.06],
        [1, "#2a1f1a", 0.16],
      ]),
    }) +
    label(colour, 336, 460, 128, 104)
  )
}

export function tapers(canvas: Canvas, colour: string): string {
  const one = (x: number, length: number, angle: number) =>
    group(
      rect(
        -17 + 8,
        -length + 14,
        34,
        length,
        { fill: "#3a2a20", opacity: 0.3, filter: canvas.blur(9) },
        10,
      ) +
        path(`M-18 0L-12 ${-length}Q0 ${-length - 14} 12 ${-length}L18 0Q0 10 -18 0Z`, {
          fill: canvas.turned(colour),
        }) +
        path(`M0 ${-length - 4}q4 -14 -2 -30`, {
          fill: "none",
          stroke: "#efe6d4",
          "stroke-width": 4,
          "stroke-linecap": "round",
        }),
      { transform: `translate(${x} 640) rotate(${angle})` },
    )
  return (
    one(304, 470, -9) +
    one(366, 486, -3) +
    one(434, 480, 3) +
    one(498, 468, 9) +
    path("M270 430Q400 462 530 430L536 468Q400 500 264 468Z", { fill: "#cdb692" }) +
    path("M270 430Q400 462 530 430L531 438Q400 470 269 438Z", { fill: "#e6d6b8" }) +
    ellipse(402, 474, 22, 17, { fill: "#a98a5c" }) +
    path("M392 482L366 540M412 482L438 538", {
      stroke: "#b89a6c",
      "stroke-width": 9,
      "stroke-linecap": "round",
    })
  )
}

export function candleHolder(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, TABLE + 6, 140) +
    rect(380, 260, 40, 250, { fill: canvas.turned("#f3ead9") }, 6) +
    path("M384 262q6 40 2 66q-8 8 -6 -10zM418 262q-2 60 2 90q8 2 4 -30z", { fill: "#fffaf0" }) +
    flame(canvas, CENTRE, 262) +
    turned(
      canvas,
      CENTRE,
      [
        [38, 500],
        [40, 540],
        [34, 566],
      ],
      colour,
      { mouth: false },
    ) +
    turned(
      canvas,
      CENTRE,
      [
        [44, 556],
        [128, 576],
        [140, 592],
        [132, TABLE + 4],
      ],
      colour,
      { mouth: false, tilt: 0.2 },
    ) +
    path("M500 576C596 548 596 640 512 606", {
      fill: "none",
      stroke: darker(colour, 0.25),
      "stroke-width": 14,
    }) +
    path("M500 573C590 546 590 632 512 602", {
      fill: "none",
      stroke: lighter(colour, 0.3),
      "stroke-width": 4,
    })
  )
}

export function pillarCandle(canvas: Canvas, colour: string): string {
  const marks = Array.from({ length: 24 }, (_, index) =>
    rect(index % 6 === 5 ? 352 : 366, 326 + index * 11, index % 6 === 5 ? 44 : 26, 2.6, {
      fill: "#b5694a",
      opacity: 0.85,
    }),
  ).join("")
  return (
    canvas.shadow(CENTRE, TABLE + 4, 96) +
    turned(
      canvas,
      CENTRE,
      [
        [84, 304],
        [84, 460],
        [84, TABLE],
      ],
      colour,
      { mouth: false },
    ) +
    ellipse(CENTRE, 304, 84, 15, {
      fill: canvas.glow([
        [0, "#fff4d2"],
        [1, "#eadfc6"],
      ]),
    }) +
    marks +
    flame(canvas, CENTRE, 304)
  )
}

export function soapBottle(canvas: Canvas, colour: string): string {
  const amber = "#8a4f22"
  return (
    canvas.shadow(CENTRE, TABLE + 4, 110) +
    path("M400 236V184H316Q296 184 292 206", {
      fill: "none",
      stroke: "#2f2d2b",
      "stroke-width": 17,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }) +
    rect(378, 226, 44, 44, { fill: canvas.turned("#3a3836") }, 4) +
    rect(362, 262, 76, 40, { fill: canvas.turned("#2f2d2b") }, 6) +
    turned(
      canvas,
      CENTRE,
      [
        [40, 300],
        [92, 332],
        [106, 380],
        [106, 560],
        [96, TABLE],
      ],
      amber,
      { mouth: false },
    ) +
    path("M318 360Q316 460 320 580", {
      fill: "none",
      stroke: "#ffdfae",
      "stroke-width": 11,
      "stroke-linecap": "round",
      opacity: 0.55,
    }) +
    label(colour, 330, 420, 140, 128)
  )
}

export function soapBar(canvas: Canvas, colour: string): string {
  const bar = (x: number, y: number, angle: number, tone: string) =>
    group(
      rect(-146, -84, 300, 190, { fill: "#3a2a20", opacity: 0.34, filter: canvas.blur(14) }, 40) +
        rect(-150, -80, 300, 176, { fill: darker(tone, 0.26) }, 40) +
        rect(
          -150,
          -96,
          300,
          176,
          {
            fill: canvas.gradient([
              [0, lighter(tone, 0.3)],
              [1, darker(tone, 0.06)],
            ]),
          },
          40,
        ) +
        canvas.speckles("M-150 -96h300v176h-300z", tone, 120, {
          x: -140,
          y: -90,
          width: 280,
          height: 164,
        }) +
        rect(
          -96,
          -50,
          192,
          84,
          { fill: "none", stroke: darker(tone, 0.2), "stroke-width": 4 },
          20,
        ) +
        ellipse(0, -8, 22, 22, { fill: "none", stroke: darker(tone, 0.24), "stroke-width": 4 }),
      { transform: `translate(${x} ${y}) rotate(${angle})` },
    )
  const bubbles = Array.from({ length: 9 }, () => {
    const size = 8 + canvas.random() * 20
    return ellipse(500 + canvas.random() * 180, 200 + canvas.random() * 130, size, size, {
      fill: canvas.glow(
        [
          [0.5, "#ffffff", 0.15],
          [1, "#ffffff", 0.75],
        ],
        0.4,
        0.4,
        0.55,
      ),
    })
  }).join("")
  return bar(430, 470, 10, darker(colour, 0.08)) + bar(380, 356, -14, colour) + bubbles
}

export function towels(canvas: Canvas, colour: string): string {
  const waffle = canvas.pattern(
    20,
    20,
    `<rect width="20" height="20" fill="${colour}"/><rect x="2" y="2" width="14" height="14" rx="2" fill="${darker(colour, 0.13)}"/><path d="M2 16V2H16" fill="none" stroke="${darker(colour, 0.24)}" stroke-width="1.6"/><path d="M17 3V17H3" fill="none" stroke="${lighter(colour, 0.35)}" stroke-width="1.8"/>`,
  )
  const fold = (y: number, width: number, height: number) => {
    const x = CENTRE - width / 2
    return (
      path(
        `M${x} ${y}H${x + width - 30}Q${x + width} ${y} ${x + width} ${y + height / 2}T${x + width - 30} ${y + height}H${x}Z`,
        { fill: waffle },
      ) +
      path(
        `M${x} ${y}H${x + width - 30}Q${x + width} ${y} ${x + width} ${y + height / 2}T${x + width - 30} ${y + height}H${x}Z`,
        {
          fill: canvas.gradient(
            [
              [0, "#ffffff", 0.3],
              [0.35, "#ffffff", 0],
              [1, "#2a1f1a", 0.26],
            ],
            true,
          ),
        },
      ) +
      path(`M${x + 4} ${y + height / 2}H${x + width - 40}`, {
        stroke: darker(colour, 0.34),
        "stroke-width": 3,
        opacity: 0.7,
      })
    )
  }
  return (
    canvas.shadow(CENTRE, TABLE + 10, 232, 30) +
    fold(526, 440, 92) +
    fold(432, 424, 94) +
    fold(350, 396, 82)
  )
}
