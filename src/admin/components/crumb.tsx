import { type TextKey, useText } from "../hooks/use-text"

/** A page's name in the line of breadcrumbs, in the language of the admin. */
export const Crumb = ({ text }: { text: TextKey }) => <span>{useText().t(text)}</span>
