import da from "./da"
import de from "./de"
import en from "./en"
import fr from "./fr"
import nb from "./nb"
import nl from "./nl"
import reasonsDa, { findings as findingsDa } from "./reasons/da"
import reasonsDe, { findings as findingsDe } from "./reasons/de"
import reasonsFr, { findings as findingsFr } from "./reasons/fr"
import reasonsNb, { findings as findingsNb } from "./reasons/nb"
import reasonsNl, { findings as findingsNl } from "./reasons/nl"
import reasonsSv, { findings as findingsSv } from "./reasons/sv"
import sv from "./sv"

/**
 * Merged by the dashboard into its own languages; others fall back to English. The server says reasons in English, so
 * English needs no sentences for them. Medusa 2.21 has no Danish and no Norwegian of its own: these two serve stores that
 * add the dashboard's texts in them (`src/admin/i18n` of the store).
 */
export default {
  en: { svc: en },
  da: { svc: { ...da, reasons: reasonsDa, findings: findingsDa } },
  de: { svc: { ...de, reasons: reasonsDe, findings: findingsDe } },
  fr: { svc: { ...fr, reasons: reasonsFr, findings: findingsFr } },
  nb: { svc: { ...nb, reasons: reasonsNb, findings: findingsNb } },
  nl: { svc: { ...nl, reasons: reasonsNl, findings: findingsNl } },
  sv: { svc: { ...sv, reasons: reasonsSv, findings: findingsSv } },
}
