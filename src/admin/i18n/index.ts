import de from "./de"
import en from "./en"

/** Merged by the dashboard into its own languages; others fall back to English. */
export default { en: { svc: en }, de: { svc: de } }
