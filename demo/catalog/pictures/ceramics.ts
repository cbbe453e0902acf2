import {
  type Canvas,
  CENTRE,
  darker,
  ellipse,
  group,
  lighter,
  mix,
  type Profile,
  path,
  rect,
  smooth,
  TABLE,
  turned,
} from "./svg"

const RAW_CLAY = "#c9a98a"

/** A handle: a thick curved line with a lighter one inside it. */
function handle(d: string, colour: string, width: number): string {
  return (
    path(d, {
      fill: "none",
      stroke: darker(colour, 0.34),
      "stroke-width": width,
      "stroke-linecap": "round",
    }) +
    path(d, {
      fill: "none",
      stroke: darker(colour, 0.08),
      "stroke-width": width * 0.62,
      "stroke-linecap": "round",
      transform: "translate(-2 -3)",
    }) +
    path(d, {
      fill: "none",
      stroke: lighter(colour, 0.28),
      "stroke-width": width * 0.2,
      "stroke-linecap": "round",
      transform: "translate(-4 -6)",
      opacity: 0.8,
    })
  )
}

/** Two rising curls above something hot. */
function steam(canvas: Canvas, x: number, y: number): string {
  const curl = (dx: number) =>
    path(
      smooth([
        [x + dx, y],
        [x + dx - 16, y - 50],
        [x + dx + 14, y - 100],
        [x + dx - 8, y - 160],
      ]),
      { fill: "none", stroke: "#ffffff", "stroke-width": 12, "stroke-linecap": "round" },
    )
  return group(curl(-26) + curl(30), { opacity: 0.42, filter: canvas.blur(7) })
}

export function mug(canvas: Canvas, colour: string): string {
  const profile: Profile = [
    [132, 330],
    [137, 400],
    [138, 500],
    [128, 575],
    [100, TABLE],
  ]
  return (
    canvas.shadow(CENTRE - 20, TABLE + 6, 150) +
    handle("M500 388C606 366 622 530 496 532", colour, 34) +
    turned(canvas, CENTRE - 20, profile, colour, {
      inside: "#4a2f20",
      speckles: 150,
      foot: RAW_CLAY,
    }) +
    steam(canvas, CENTRE - 20, 320)
  )
}

export function tumbler(canvas: Canvas, colour: string): string {
  const cup = (x: number, y: number, scale: number) =>
    turned(
      canvas,
      x,
      [
        [86 * scale, y - 150 * scale],
        [87 * scale, y - 90 * scale],
        [80 * scale, y - 24 * scale],
        [62 * scale, y],
      ],
      colour,
      { inside: "#3f2719", speckles: 60, foot: RAW_CLAY },
    )
  return (
    canvas.shadow(492, 590, 80) +
    cup(492, 586, 0.94) +
    canvas.shadow(320, TABLE + 34, 90) +
    cup(320, TABLE + 30, 1.12)
  )
}

function bowlShape(canvas: Canvas, colour: string, radius: number, depth: number, inside: string) {
  const top = TABLE - depth
  return (
    canvas.shadow(CENTRE, TABLE + 4, radius * 0.72) +
    turned(
      canvas,
      CENTRE,
      [
        [radius, top],
        [radius * 0.97, top + depth * 0.28],
        [radius * 0.78, top + depth * 0.66],
        [radius * 0.44, top + depth * 0.92],
        [radius * 0.38, TABLE],
      ],
      colour,
      { inside, speckles: 190, tilt: 0.24, foot: RAW_CLAY },
    )
  )
}

export function bowl(canvas: Canvas, colour: string): string {
  return bowlShape(canvas, colour, 210, 200, lighter(colour, 0.2))
}

export function servingBowl(canvas: Canvas, colour: string): string {
  const lemon = (x: number, y: number, tilt: number) =>
    group(
      ellipse(0, 0, 62, 46, {
        fill: canvas.glow(
          [
            [0, "#fbe48a"],
            [0.6, "#ecc23e"],
            [1, "#c4932a"],
          ],
          0.38,
          0.32,
          0.75,
        ),
      }) + ellipse(60, 2, 9, 8, { fill: "#d8a934" }),
      { transform: `translate(${x} ${y}) rotate(${tilt})` },
    )
  return (
    bowlShape(canvas, colour, 270, 190, darker(colour, 0.12)) +
    lemon(320, 408, -18) +
    lemon(474, 404, 20) +
    lemon(396, 388, -150) +
    // The near lip, over the fruit.
    path("M132 424A270 65 0 0 0 668 424A270 86 0 0 1 132 424Z", {
      fill: canvas.turned(lighter(colour, 0.12)),
    })
  )
}

function plateFromAbove(canvas: Canvas, colour: string, radius: number, speckles: number): string {
  const ring = (scale: number, fill: string, y = 0) =>
    ellipse(CENTRE, 410 + y, radius * scale, radius * scale * 0.97, { fill })
  const disc = `M${CENTRE - radius} 410a${radius} ${radius * 0.97} 0 1 0 ${radius * 2} 0a${radius} ${radius * 0.97} 0 1 0 ${-radius * 2} 0Z`
  return (
    ellipse(CENTRE + 22, 436, radius * 1.02, radius, {
      fill: "#3a2a20",
      opacity: 0.3,
      filter: canvas.blur(20),
    }) +
    ring(
      1,
      canvas.glow(
        [
          [0.6, colour],
          [0.93, lighter(colour, 0.3)],
          [1, darker(colour, 0.22)],
        ],
        0.45,
        0.42,
        0.58,
      ),
    ) +
    ring(
      0.84,
      canvas.gradient([
        [0, darker(colour, 0.2)],
        [0.5, colour],
        [1, lighter(colour, 0.3)],
      ]),
    ) +
    ring(
      0.815,
      canvas.glow(
        [
          [0, lighter(colour, 0.22)],
          [0.7, colour],
          [1, darker(colour, 0.06)],
        ],
        0.4,
        0.36,
        0.7,
      ),
    ) +
    canvas.speckles(disc, colour, speckles, {
      x: CENTRE - radius,
      y: 410 - radius,
      width: radius * 2,
      height: radius * 2,
    })
  )
}

export function plate(canvas: Canvas, colour: string): string {
  return plateFromAbove(canvas, colour, 282, 320)
}

/** With a slice of cake, so that one sees how small it is. */
export function sidePlate(canvas: Canvas, colour: string): string {
  const slice =
    path("M322 470L500 372L520 470Q440 520 322 470Z", {
      fill: "#3a2a20",
      opacity: 0.22,
      filter: canvas.blur(9),
    }) +
    path("M310 440L492 346L508 440Q420 486 310 440Z", { fill: "#f1dcae" }) +
    path("M310 440Q420 486 508 440L508 474Q420 522 310 474Z", { fill: "#c58a4f" }) +
    path("M310 452Q420 498 508 452L508 462Q420 508 310 462Z", { fill: "#f6ead0" }) +
    [
      [380, 414],
      [432, 392],
      [470, 420],
      [424, 434],
    ]
      .map(([x = 0, y = 0]) =>
        ellipse(x, y, 15, 14, {
          fill: canvas.glow(
            [
              [0, "#e05a5a"],
              [1, "#8f2437"],
            ],
            0.35,
            0.3,
            0.8,
          ),
        }),
      )
      .join("")
  return plateFromAbove(canvas, colour, 236, 220) + slice
}

function stem(canvas: Canvas, d: string, leaves: [number, number, number, number][], tone: string) {
  return (
    path(d, {
      fill: "none",
      stroke: darker(tone, 0.3),
      "stroke-width": 5,
      "stroke-linecap": "round",
    }) +
    leaves
      .map(([x, y, angle, size]) =>
        group(
          path(
            `M0 0C${size * 0.3} ${-size * 0.42} ${size * 0.8} ${-size * 0.36} ${size} 0C${size * 0.8} ${size * 0.3} ${size * 0.3} ${size * 0.3} 0 0Z`,
            {
              fill: canvas.gradient([
                [0, darker(tone, 0.12)],
                [1, lighter(tone, 0.22)],
              ]),
            },
          ) +
            path(`M4 0L${size * 0.9} 0`, {
              stroke: darker(tone, 0.3),
              "stroke-width": 1.6,
              opacity: 0.6,
            }),
          { transform: `translate(${x} ${y}) rotate(${angle})` },
        ),
      )
      .join("")
  )
}

export function bottleVase(canvas: Canvas, colour: string): string {
  const branch =
    stem(
      canvas,
      "M404 300C410 220 440 150 500 70",
      [
        [418, 228, -150, 74],
        [428, 196, 10, 84],
        [446, 160, -140, 80],
        [466, 124, 18, 86],
        [486, 92, -120, 72],
        [500, 72, -40, 76],
      ],
      "#7d8f5f",
    ) +
    stem(
      canvas,
      "M396 300C390 240 360 190 316 140",
      [
        [386, 244, 195, 70],
        [372, 212, -60, 76],
        [346, 174, 170, 72],
        [318, 142, -110, 70],
      ],
      "#8b9a68",
    )
  return (
    canvas.shadow(CENTRE, TABLE + 4, 112) +
    branch +
    turned(
      canvas,
      CENTRE,
      [
        [36, 288],
        [31, 330],
        [34, 372],
        [74, 414],
        [108, 470],
        [110, 540],
        [92, TABLE],
      ],
      colour,
      { speckles: 110 },
    )
  )
}

export function budVase(canvas: Canvas, colour: string): string {
  const petals = Array.from({ length: 9 }, (_, index) =>
    group(
      ellipse(0, -44, 19, 38, {
        fill: canvas.gradient(
          [
            [0, "#fbeee6"],
            [1, "#e9b7a4"],
          ],
          true,
        ),
      }),
      {
        transform: `translate(436 196) rotate(${index * 40})`,
      },
    ),
  ).join("")
  return (
    canvas.shadow(CENTRE, TABLE + 4, 66) +
    stem(
      canvas,
      "M400 352C402 290 414 250 434 206",
      [
        [404, 300, -150, 66],
        [412, 268, 14, 62],
      ],
      "#7d8f5f",
    ) +
    petals +
    ellipse(436, 196, 20, 19, {
      fill: canvas.glow(
        [
          [0, "#f2cf6b"],
          [1, "#b98327"],
        ],
        0.4,
        0.35,
        0.7,
      ),
    }) +
    turned(
      canvas,
      CENTRE,
      [
        [24, 340],
        [20, 372],
        [26, 420],
        [58, 480],
        [66, 548],
        [52, TABLE],
      ],
      colour,
    )
  )
}

export function roundVase(canvas: Canvas, colour: string): string {
  const grass = [-58, -34, -12, 10, 30, 56]
    .map((lean, index) => {
      const tip = 96 + ((index * 37) % 60)
      return (
        path(`M${400 + lean * 0.16} 330Q${400 + lean * 0.9} 240 ${400 + lean * 2.3} ${tip}`, {
          fill: "none",
          stroke: "#b79a64",
          "stroke-width": 3.4,
        }) +
        group(
          ellipse(0, 0, 10, 40, {
            fill: canvas.gradient([
              [0, "#e2cb9d"],
              [1, "#b4915a"],
            ]),
          }),
          { transform: `translate(${400 + lean * 2.25} ${tip - 8}) rotate(${lean * 0.5})` },
        )
      )
    })
    .join("")
  return (
    canvas.shadow(CENTRE, TABLE + 6, 176) +
    grass +
    turned(
      canvas,
      CENTRE,
      [
        [46, 318],
        [44, 338],
        [118, 370],
        [184, 444],
        [178, 526],
        [128, 588],
        [92, TABLE],
      ],
      colour,
      { speckles: 200 },
    )
  )
}

export function teapot(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, TABLE + 6, 176) +
    handle("M246 420C126 372 120 560 262 548", colour, 30) +
    path("M520 470C590 470 604 420 640 352L690 372C668 440 640 570 530 580Z", {
      fill: canvas.gradient(
        [
          [0, darker(colour, 0.2)],
          [0.5, colour],
          [1, lighter(colour, 0.2)],
        ],
        true,
      ),
    }) +
    ellipse(665, 362, 27, 10, { fill: darker(colour, 0.45), transform: "rotate(22 665 362)" }) +
    turned(
      canvas,
      CENTRE,
      [
        [92, 366],
        [150, 400],
        [182, 470],
        [170, 550],
        [112, TABLE],
      ],
      colour,
      { mouth: false, speckles: 170, foot: RAW_CLAY },
    ) +
    turned(
      canvas,
      CENTRE,
      [
        [26, 330],
        [78, 346],
        [98, 370],
      ],
      lighter(colour, 0.06),
      { mouth: false, speckles: 30 },
    ) +
    ellipse(CENTRE, 318, 24, 22, {
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

export function pitcher(canvas: Canvas, colour: string): string {
  return (
    canvas.shadow(CENTRE, TABLE + 4, 126) +
    handle("M486 316C596 290 604 500 498 520", colour, 28) +
    path("M322 262L262 246Q286 300 322 322Z", { fill: canvas.turned(colour) }) +
    turned(
      canvas,
      CENTRE,
      [
        [88, 262],
        [80, 310],
        [92, 390],
        [126, 480],
        [124, 560],
        [98, TABLE],
      ],
      colour,
      { speckles: 130, inside: darker(colour, 0.2) },
    ) +
    path("M318 258L258 244Q300 280 330 272Z", { fill: lighter(colour, 0.24) })
  )
}

export function butterDish(canvas: Canvas, colour: string): string {
  const dish = "M180 548H620Q612 596 560 606H240Q188 596 180 548Z"
  const lid = "M232 548V452Q232 404 284 404H516Q568 404 568 452V548Z"
  return (
    canvas.shadow(CENTRE, TABLE + 2, 218, 26) +
    path(dish, { fill: canvas.turned(colour) }) +
    path(lid, { fill: canvas.turned(lighter(colour, 0.1)) }) +
    path("M232 452Q232 404 284 404H516Q568 404 568 452Q540 430 500 430H300Q258 430 232 452Z", {
      fill: lighter(colour, 0.5),
      opacity: 0.8,
    }) +
    rect(226, 540, 348, 10, { fill: darker(colour, 0.16), opacity: 0.6 }, 4) +
    ellipse(CENTRE, 396, 30, 12, { fill: darker(colour, 0.2) }) +
    ellipse(CENTRE, 376, 32, 28, {
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

export function planter(canvas: Canvas, colour: string): string {
  const tones = ["#4f7350", "#66895b", "#3f624a", "#7b9a64"]
  const leaves = [-74, -52, -34, -14, 6, 26, 46, 70]
    .map((angle, index) => {
      const length = 190 + ((index * 53) % 70)
      const tone = tones[index % tones.length] ?? "#4f7350"
      return group(
        path(
          `M0 0C-46 ${-length * 0.4} -36 ${-length * 0.82} 0 ${-length}C36 ${-length * 0.82} 46 ${-length * 0.4} 0 0Z`,
          {
            fill: canvas.gradient([
              [0, lighter(tone, 0.14)],
              [0.5, tone],
              [0.52, darker(tone, 0.14)],
              [1, mix(tone, "#2a1f1a", 0.3)],
            ]),
          },
        ),
        { transform: `translate(${CENTRE + angle * 0.5} 408) rotate(${angle})` },
      )
    })
    .join("")
  return (
    canvas.shadow(CENTRE, TABLE + 14, 160) +
    ellipse(CENTRE, TABLE + 2, 158, 30, { fill: canvas.turned(darker(colour, 0.08)) }) +
    ellipse(CENTRE, TABLE - 6, 150, 24, { fill: darker(colour, 0.25) }) +
    turned(
      canvas,
      CENTRE,
      [
        [146, 404],
        [138, 470],
        [122, 560],
        [108, TABLE - 8],
      ],
      colour,
      { speckles: 90, inside: "#3a2b22" },
    ) +
    leaves +
    path("M254 404A146 23 0 0 0 546 404L542 436A142 23 0 0 1 258 436Z", {
      fill: canvas.turned(lighter(colour, 0.08)),
    })
  )
}
