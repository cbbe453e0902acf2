/** Line icons on a 24 px field; decoration only, the words stand beside them. */
const PATHS = {
  basket: "M5 8h14l-1.2 11H6.2L5 8ZM9 10.5V7a3 3 0 0 1 6 0v3.5",
  close: "M6 6l12 12M18 6 6 18",
  minus: "M6 12h12",
  plus: "M12 6v12M6 12h12",
  check: "m5 12.5 4.5 4.5L19 7.5",
  arrow: "M5 12h14M13 6l6 6-6 6",
  alert: "M12 8v5M12 16.5v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  play: "M9 6.5v11l9-5.5-9-5.5Z",
}

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
