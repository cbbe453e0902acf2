import { useLayoutEffect } from "preact/hooks"

const NAME = "Hede & Havn"

/** The window's title; the shop's name alone where the page has none. */
export function useTitle(title?: string): void {
  useLayoutEffect(() => {
    document.title = title ? `${title} – ${NAME}` : NAME
  }, [title])
}
