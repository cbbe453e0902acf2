import { nightly } from "../nightly"

it.each<[string | undefined, string]>([
  ["9", "17 9 * * *"],
  [" 09 ", "17 9 * * *"],
  ["0", "17 0 * * *"],
  ["23", "17 23 * * *"],
  // A schedule that cannot be read would end the start of the store.
  ["24", "17 3 * * *"],
  ["-1", "17 3 * * *"],
  ["9:30", "17 3 * * *"],
  ["", "17 3 * * *"],
  [undefined, "17 3 * * *"],
])("does the night's work at the hour that is set: %p", (hour, schedule) => {
  expect(nightly(17, hour)).toBe(schedule)
})
