import { useSyncExternalStore } from "react"

/** As wide as the dashboard's own layout counts as a phone. */
const PHONE = "(max-width: 767px)"

const subscribe = (onChange: () => void) => {
  const query = window.matchMedia(PHONE)
  query.addEventListener("change", onChange)
  return () => query.removeEventListener("change", onChange)
}

/** Whether the screen is too narrow for a table with all its columns. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(PHONE).matches)
