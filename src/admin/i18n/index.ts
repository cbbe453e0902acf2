import de from "./json/de.json"
import en from "./json/en.json"
import fr from "./json/fr.json"
import nl from "./json/nl.json"
import sv from "./json/sv.json"

type SameNames<Tree> = {
  [Name in keyof Tree]: Tree[Name] extends string ? string : SameNames<Tree[Name]>
}

/** What happened and what to do, by the code of a reason, a problem or a refusal that the server gives. */
type ReasonTexts = Record<string, { message: string; fix: string }>

/** English, all of it, and what the server says, which it says in English. */
type Translation = SameNames<typeof en> & { reasons: ReasonTexts; findings: ReasonTexts }

const inEnglish = { svc: en }
const translated = (svc: Translation) => ({ svc })

/** Merged by the dashboard into its own languages; whoever has chosen another one reads English. */
export default {
  en: inEnglish,
  de: translated(de),
  fr: translated(fr),
  nl: translated(nl),
  sv: translated(sv),
}
