import { type Canvas, darker, ellipse, group, knit, lighter, path, rect, rib } from "./svg"

/** Light from the left and folds, over any garment. */
function drape(canvas: Canvas, outline: string): string {
  return path(outline, {
    fill: canvas.gradient([
      [0, "#2a1f1a", 0.24],
      [0.2, "#ffffff", 0.12],
      [0.45, "#2a1f1a", 0.02],
      [0.62, "#ffffff", 0.07],
      [1, "#2a1f1a", 0.3],
    ]),
  })
}

function under(canvas: Canvas, outline: string): string {
  return path(outline, {
    fill: "#3a2a20",
    opacity: 0.32,
    filter: canvas.blur(18),
    transform: "translate(16 20)",
  })
}

const BODY =
  "M292 196Q400 236 508 196L590 236Q608 250 612 280L604 640Q400 664 196 640L188 280Q192 250 210 236Z"
const LEFT_ARM = "M210 236Q160 262 144 330L92 590L168 612L214 420Z"
const RIGHT_ARM = "M590 236Q640 262 656 330L708 590L632 612L586 420Z"

function jumper(canvas: Canvas, colour: string, fabric: string, neck: "crew" | "roll"): string {
  const ribs = rib(canvas, darker(colour, 0.04))
  const cuff = (d: string) => path(d, { fill: ribs }) + drape(canvas, d)
  const collar =
    neck === "roll"
      ? "M302 138Q400 118 498 138L512 200Q400 246 288 200Z"
      : "M290 190Q400 234 510 190L520 214Q400 262 280 214Z"
  return (
    under(canvas, BODY + LEFT_ARM + RIGHT_ARM) +
    path(LEFT_ARM, { fill: fabric }) +
    path(RIGHT_ARM, { fill: fabric }) +
    path(LEFT_ARM, {
      fill: canvas.gradient([
        [0, "#2a1f1a", 0.2],
        [0.6, "#ffffff", 0.06],
        [1, "#2a1f1a", 0.34],
      ]),
    }) +
    path(RIGHT_ARM, {
      fill: canvas.gradient([
        [0, "#2a1f1a", 0.34],
        [0.5, "#ffffff", 0.05],
        [1, "#2a1f1a", 0.26],
      ]),
    }) +
    cuff("M98 562L92 590Q126 616 168 612L174 584Z") +
    cuff("M702 562L708 590Q674 616 632 612L626 584Z") +
    path(BODY, { fill: fabric }) +
    drape(canvas, BODY) +
    cuff("M197 590Q400 614 603 590L603 640Q400 664 197 640Z") +
    path("M292 196Q400 150 508 196Q400 250 292 196Z", { fill: darker(colour, 0.5) }) +
    path(collar, { fill: ribs }) +
    drape(canvas, collar)
  )
}

export function sweater(canvas: Canvas, colour: string): string {
  return jumper(canvas, colour, knit(canvas, colour), "crew")
}

export function turtleneck(canvas: Canvas, colour: string): string {
  return jumper(canvas, colour, knit(canvas, colour, 0.62), "roll")
}

export function stripedSweater(canvas: Canvas, colour: string): string {
  const pale = "#f1ede6"
  const stripes = canvas.pattern(
    14,
    72,
    `<rect width="14" height="72" fill="${pale}"/><rect width="14" height="34" fill="${colour}"/>${Array.from(
      { length: 6 },
      (_, row) =>
        `<path d="M0 ${row * 12}l7 7l7 -7" fill="none" stroke="${darker(row < 3 ? colour : pale, 0.2)}" stroke-width="1.4"/>`,
    ).join("")}`,
  )
  return group(jumper(canvas, colour, stripes, "crew"), {
    transform: "translate(60 70) scale(0.85)",
  })
}

export function cardigan(canvas: Canvas, colour: string): string {
  const fabric = knit(canvas, colour, 0.85)
  const band = rib(canvas, darker(colour, 0.06))
  const pocket = (x: number) =>
    rect(x, 470, 120, 118, { fill: fabric, stroke: darker(colour, 0.3), "stroke-width": 2.4 }, 8) +
    rect(x, 466, 120, 22, { fill: band }, 6)
  return (
    jumper(canvas, colour, fabric, "crew") +
    path("M330 190Q400 214 470 190L412 372Z", { fill: darker(colour, 0.45) }) +
    path("M342 196Q400 214 458 196L408 352Z", { fill: "#efe7da" }) +
    path("M284 196L330 186L416 380V652H384V400Z", { fill: band }) +
    path("M516 196L470 186L396 360L416 400V380Z", { fill: band }) +
    pocket(226) +
    pocket(454) +
    [400, 446, 492, 538, 584, 630]
      .map((y) =>
        ellipse(400, y, 11, 11, {
          fill: canvas.glow(
            [
              [0, "#c79f6c"],
              [1, "#5b4638"],
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

export function beanie(canvas: Canvas, colour: string): string {
  const crown = "M212 470C206 300 280 176 400 176S594 300 588 470Z"
  const brim =
    "M196 440Q400 482 604 440Q622 444 620 470L612 560Q606 584 584 588Q400 622 216 588Q194 584 188 560L180 470Q178 444 196 440Z"
  const ribs = Array.from({ length: 21 }, (_, index) => {
    const x = 206 + index * 19.4
    return path(`M${x} 470C${x + (400 - x) * 0.06} 340 ${x + (400 - x) * 0.5} 220 400 178`, {
      fill: "none",
      stroke: darker(colour, 0.26),
      "stroke-width": 6,
      opacity: 0.75,
    })
  }).join("")
  return (
    under(canvas, crown + brim) +
    path(crown, { fill: colour }) +
    group(ribs, { "clip-path": canvas.clip(crown) }) +
    drape(canvas, crown) +
    path(brim, { fill: rib(canvas, lighter(colour, 0.05), 19) }) +
    drape(canvas, brim) +
    rect(540, 500, 46, 34, { fill: "#c79f6c" }, 4) +
    rect(548, 514, 30, 4, { fill: "#5b4638" })
  )
}

export function scarf(canvas: Canvas, colour: string): string {
  const fabric = knit(canvas, colour, 0.7)
  const tail = (x: number, length: number, angle: number) => {
    const band = `M-62 0H62L70 ${length}H-70Z`
    const fringe = Array.from({ length: 12 }, (_, index) =>
      path(`M${-65 + index * 11.8} ${length}q${index % 2 ? 6 : -5} 24 0 52`, {
        fill: "none",
        stroke: darker(colour, index % 2 ? 0.22 : 0.06),
        "stroke-width": 7,
        "stroke-linecap": "round",
      }),
    ).join("")
    return group(
      under(canvas, band) +
        fringe +
        path(band, { fill: fabric }) +
        drape(canvas, band) +
        [0.8, 0.86]
          .map((at) =>
            rect(-70, length * at, 140, 10, { fill: lighter(colour, 0.5), opacity: 0.7 }),
          )
          .join(""),
      { transform: `translate(${x} 330) rotate(${angle})` },
    )
  }
  const ring = (rx: number, ry: number) =>
    `M${400 - rx} 236a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0 ${-rx * 2} 0Z`
  const loop = ring(216, 128)
  const fold = (from: string) =>
    path(from, {
      fill: "none",
      stroke: darker(colour, 0.36),
      "stroke-width": 5,
      "stroke-linecap": "round",
      opacity: 0.55,
    })
  return (
    tail(332, 290, 7) +
    under(canvas, loop) +
    path(`${loop}${ring(118, 46)}`, { fill: fabric, "fill-rule": "evenodd" }) +
    path(`${loop}${ring(118, 46)}`, {
      fill: canvas.gradient(
        [
          [0, "#2a1f1a", 0.1],
          [0.2, "#ffffff", 0.2],
          [0.6, "#2a1f1a", 0.02],
          [1, "#2a1f1a", 0.42],
        ],
        true,
      ),
      "fill-rule": "evenodd",
    }) +
    path(ring(118, 46), { fill: darker(colour, 0.66), opacity: 0.5 }) +
    fold("M208 270Q300 340 420 344") +
    fold("M246 300Q330 316 400 314") +
    fold("M592 270Q560 320 470 340") +
    tail(460, 250, -6) +
    path("M396 318Q470 280 540 316Q560 372 530 400Q462 420 400 396Q378 356 396 318Z", {
      fill: fabric,
    }) +
    path("M396 318Q470 280 540 316Q560 372 530 400Q462 420 400 396Q378 356 396 318Z", {
      fill: canvas.glow(
        [
          [0, "#ffffff", 0.28],
          [0.5, "#ffffff", 0],
          [1, "#2a1f1a", 0.5],
        ],
        0.4,
        0.34,
        0.7,
      ),
    })
  )
}

export function mittens(canvas: Canvas, colour: string): string {
  const pale = "#f1ede6"
  const one = (x: number, angle: number, flip: number) => {
    const hand = "M-92 250V20C-92 -110 -60 -200 0 -200S92 -110 92 20V250Z"
    const thumb = "M-84 60C-150 40 -176 -40 -150 -70C-124 -96 -96 -40 -84 -10Z"
    const star = [0, 45, 90, 135, 180, 225, 270, 315]
      .map(
        (turn) =>
          `<path d="M0 0L12 -34L0 -66L-12 -34Z" fill="${pale}" transform="rotate(${turn})"/>`,
      )
      .join("")
    const cuff = "M-96 200H96V290Q0 306 -96 290Z"
    return group(
      under(canvas, hand + thumb) +
        path(thumb, { fill: knit(canvas, darker(colour, 0.06), 0.8) }) +
        path(hand, { fill: knit(canvas, colour, 0.8) }) +
        group(star, { transform: "translate(0 10)" }) +
        group(star, { transform: "translate(0 -130) scale(0.5)" }) +
        drape(canvas, hand) +
        path(cuff, { fill: rib(canvas, pale, 14) }) +
        drape(canvas, cuff),
      { transform: `translate(${x} 400) rotate(${angle}) scale(${flip} 1)` },
    )
  }
  return one(270, -9, -1) + one(532, 8, 1)
}

export function socks(canvas: Canvas, colour: string): string {
  const sock =
    "M-70 -240H70V60C70 110 120 140 190 160C246 176 250 250 190 262C90 280 -20 262 -56 200C-78 160 -70 110 -70 60Z"
  const one = (x: number, y: number, angle: number) =>
    group(
      under(canvas, sock) +
        path(sock, { fill: knit(canvas, colour, 0.75) }) +
        group(
          path("M130 130H260V290H130Z", { fill: knit(canvas, darker(colour, 0.24), 0.75) }) +
            ellipse(-40, 200, 74, 84, { fill: knit(canvas, darker(colour, 0.24), 0.75) }),
          { "clip-path": canvas.clip(sock) },
        ) +
        drape(canvas, sock) +
        path("M-74 -250H74V-130Q0 -120 -74 -130Z", {
          fill: rib(canvas, lighter(colour, 0.08), 14),
        }) +
        rect(-74, -178, 148, 14, { fill: darker(colour, 0.4), opacity: 0.7 }),
      { transform: `translate(${x} ${y}) rotate(${angle})` },
    )
  return one(290, 380, -6) + one(440, 412, 7)
}
