/** Names of what Medusa's own table and dialogs show as a sign alone. */
export type PartNames = {
  close: string
  /** Of a chip: what was chosen is taken out again. */
  remove: string
  /** Of a row's menu. */
  actions: string
  filter: string
  sort: string
}

const isNamed = (element: Element): boolean =>
  element.hasAttribute("aria-label") ||
  element.hasAttribute("aria-labelledby") ||
  (element.textContent ?? "").trim() !== ""

const unnamed = (root: ParentNode, selector: string): Element[] =>
  [...root.querySelectorAll(selector)].filter((element) => !isNamed(element))

/** What tells a row from others: the text of its link, else of its first cell that has one. */
function rowName(row: Element | null): string {
  const texts = [...(row?.querySelectorAll("a, td") ?? [])].map((one) =>
    (one.textContent ?? "").trim(),
  )
  return texts.find((text) => text !== "") ?? ""
}

/**
 * Gives names to parts of Medusa's components that have none, so that a screen reader can say what they do: the filter and
 * sort buttons of a table, its rows' menus, the cross of a drawer. A sign that only decorates is hidden from it.
 */
export function nameParts(root: ParentNode, names: PartNames): void {
  for (const button of unnamed(root, '[role="dialog"] button')) {
    const chip = button.matches('[tabindex="-1"]') && button.parentElement?.textContent?.trim()
    button.setAttribute("aria-label", chip ? `${names.remove}: ${chip}` : names.close)
  }
  for (const button of unnamed(root, 'main button[aria-haspopup="menu"]')) {
    const row = button.closest("tbody tr")
    // The filters come first in Medusa's toolbar, the order last.
    const isLast = !button.nextElementSibling?.matches('button[aria-haspopup="menu"]')
    const name = row ? `${names.actions}: ${rowName(row)}` : isLast ? names.sort : names.filter
    button.setAttribute("aria-label", name)
  }
  for (const sign of unnamed(root, 'main [role="img"]')) sign.setAttribute("aria-hidden", "true")
}
