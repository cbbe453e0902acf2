import type en from "./en"

type SameNames<Tree> = {
  [Name in keyof Tree]: Tree[Name] extends string ? string : SameNames<Tree[Name]>
}

/** The texts of `en.ts` in another language: all of them, and no other. */
export type Texts = SameNames<typeof en>

/** What happened and what to do, by the code of a reason, a problem or a refusal that the server gives. */
export type ReasonTexts = Record<string, { message: string; fix: string }>
