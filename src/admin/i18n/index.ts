import da from "./da"
import de from "./de"
import en from "./en"
import fr from "./fr"
import nb from "./nb"
import nl from "./nl"
import reasonsDa from "./reasons/da"
import reasonsDe from "./reasons/de"
import reasonsFr from "./reasons/fr"
import reasonsNb from "./reasons/nb"
import reasonsNl from "./reasons/nl"
import reasonsSv from "./reasons/sv"
import sv from "./sv"

/**
 * Merged by the dashboard into its own languages; others fall back to English. The server says reasons in English, so
 * English needs no sentences for them. Medusa 2.21 has no Danish and no Norwegian of its own: these two serve stores that
 * add the dashboard's texts in them (`src/admin/i18n` of the store).
 */
export default {
  en: { svc: en },
  da: { svc: { ...da, reasons: reasonsDa } },
  de: { svc: { ...de, reasons: reasonsDe } },
  fr: { svc: { ...fr, reasons: reasonsFr } },
  nb: { svc: { ...nb, reasons: reasonsNb } },
  nl: { svc: { ...nl, reasons: reasonsNl } },
  sv: { svc: { ...sv, reasons: reasonsSv } },
}
