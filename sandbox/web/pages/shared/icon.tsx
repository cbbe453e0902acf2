/** The icons of both pages: strokes on a 24 px grid, in the colour of the text around them. */

const PATHS = {
  alert:
    "M12 8v5M12 16.5v.5M10.3 4 2.6 18a2 2 0 0 0 1.7 3h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z",
  basket: "M3 9h18l-1.6 9.2a2 2 0 0 1-2 1.8H6.6a2 2 0 0 1-2-1.8zM8 9l3-6M16 9l-3-6",
  bolt: "M13 3 5 14h6l-1 7 9-12h-6z",
  box: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  broadcast:
    "M12 10.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM8.2 15.8a5.4 5.4 0 0 1 0-7.6M15.8 8.2a5.4 5.4 0 0 1 0 7.6M5.3 18.7a9.5 9.5 0 0 1 0-13.4M18.7 5.3a9.5 9.5 0 0 1 0 13.4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 7v5l3.5 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z",
  close: "M6 6l12 12M18 6 6 18",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  down: "M6 9l6 6 6-6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  heart: "M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 7.5 2.8C19.5 15.4 12 20 12 20z",
  home: "M4 11l8-7 8 7v8a1.5 1.5 0 0 1-1.5 1.5h-4V15h-5v5.5h-4A1.5 1.5 0 0 1 4 19z",
  key: "M14.5 4.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 13l-7 7v-3M7 17l2 2",
  left: "M15 6l-6 6 6 6",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.5M4 12h.5M4 18h.5",
  minus: "M5 12h14",
  play: "M7 4.5v15l12-7.5z",
  plus: "M12 5v14M5 12h14",
  receipt: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  refresh:
    "M20 11a8 8 0 0 0-14.5-3.5L4 9.5M4 4v5.5h5.5M4 13a8 8 0 0 0 14.5 3.5l1.5-2M20 20v-5.5h-5.5",
  right: "M9 6l6 6-6 6",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4",
  send: "M4 12l16-8-6 16-3-7zM20 4l-9 9",
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  stop: "M6 6h12v12H6z",
  tag: "M4 4h8l8 8-8 8-8-8zM8.5 8.5h.1",
  trash: "M4 7h16M10 11v6M14 11v6M6 7l1 12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2l1-12M9 7V4h6v3",
  up: "M6 15l6-6 6 6",
  webhook:
    "M12 8.5a3 3 0 1 0-2.6-4.4M10.6 8 7 14.3M7 14.5a3 3 0 1 0 2.6 4.4M17 14.5a3 3 0 1 1-2.4 5M10 17h7M13.4 8 17 14.5",
}

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
