import { useEffect } from "react"
import { nameParts } from "../lib/name-parts"
import { useText } from "./use-text"

/** Names what Medusa's components on this page, and in its drawers, leave without a name; also what comes later. */
export function useNamedParts(): void {
  const { t } = useText()
  useEffect(() => {
    const name = () =>
      nameParts(document, {
        close: t("actions.close"),
        remove: t("actions.remove"),
        actions: t("actions.more"),
        filter: t("actions.filter"),
        sort: t("actions.sort"),
      })
    name()
    // Attributes are not observed: what is set here asks for no further look.
    const observer = new MutationObserver(name)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [t])
}
