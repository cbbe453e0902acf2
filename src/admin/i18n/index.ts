import en from "./en"

/** Merged by the dashboard into its own languages. */
export default { en: { svc: en } }
