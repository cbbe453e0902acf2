/** What is looked for on every page and dialog of ours in the admin, in whatever language, theme and width it is shown. */
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import languages from "../../src/admin/i18n"
import { isQuiet, screenshot } from "./sandbox-browser"

export type Language = "en" | "de"
/** The texts of a language, as the pages show them. */
export const textsOf = (language: Language): (typeof languages)["en"]["svc"] =>
  languages[language].svc

/** Whoever is logged in sees the admin in this language from the next page on. */
export async function speak(page: Page, storeUrl: string, language: Language): Promise<void> {
  // i18next asks the cookie first, then the storage.
  await page.context().addCookies([{ name: "lng", value: language, url: storeUrl }])
  await page.addInitScript((lng) => localStorage.setItem("lng", lng), language)
}

/** As the admin's own settings do it, without loading the page anew. */
export async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  // Else colours are on their way for a moment, and neither the one nor the other.
  await page.addStyleTag({ content: "*, *::before, *::after { transition: none !important }" })
  await page.evaluate((name) => {
    const { classList, style } = document.documentElement
    classList.remove("light", "dark")
    classList.add(name)
    style.colorScheme = name
  }, theme)
}

/** By its path: the types of the package are of no use here. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

type Violation = {
  id: string
  impact: string
  help: string
  nodes: { target: unknown[]; html: string }[]
}

/**
 * Serious and critical faults of what is on the screen. Medusa's own frame around our pages, its sidebar and its top bar,
 * is not ours to mend, nor are its own pages around our widgets.
 *
 * @param widget the heading of the widget to look at, on a page of Medusa's
 */
export async function faultsOf(page: Page, widget?: string): Promise<string[]> {
  await isStill(page)
  const first = await faultsNow(page, widget)
  if (first.length === 0) return first
  // What is pale or unnamed while it comes in is not a fault: what stays is.
  await page.waitForTimeout(1_000)
  const second = await faultsNow(page, widget)
  return second.filter((fault) => first.includes(fault))
}

/** Waits until everything is loaded and nothing fades or slides in any more: colours are pale meanwhile. */
export async function isStill(page: Page): Promise<void> {
  await isQuiet(page)
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )
}

async function faultsNow(page: Page, widget?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE)
  await markPart(page, widget)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (at: object, how: object) => Promise<{ violations: Violation[] }> }
    }
    const { violations: found } = await axe.run(
      {
        include: [document.querySelector("[data-looked-at]")],
        // The colour of what Medusa's select says while nothing is chosen is Medusa's.
        exclude: ["[data-placeholder]"],
      },
      { resultTypes: ["violations"] },
    )
    return found
  })
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 300)}`),
    )
}

/** Marks what is looked at: the dialog or menu that is open, else our widget, else the page without Medusa's frame. */
const markPart = (page: Page, widget?: string): Promise<void> =>
  page.evaluate((heading) => {
    document.querySelector("[data-looked-at]")?.removeAttribute("data-looked-at")
    // Medusa's bar of commands below a list has no name, and is not ours.
    const dialog = document.querySelector(
      '[role="alertdialog"], [role="dialog"]:not([data-side="top"]), [role="menu"]',
    )
    const card = [...document.querySelectorAll("h1, h2, h3")]
      .find(({ textContent }) => heading !== undefined && textContent === heading)
      ?.closest(".shadow-elevation-card-rest")
    const part = dialog ?? card ?? document.querySelector("main") ?? document.body
    part.setAttribute("data-looked-at", "")
  }, widget)

/** All that people read or hear of the part: its texts, the names that only a screen reader says, and what is in its fields. */
async function wordsOf(page: Page, widget?: string): Promise<string[]> {
  await markPart(page, widget)
  return page.evaluate(() => {
    const root = document.querySelector("[data-looked-at]")
    if (!root) return []
    const words: string[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // Samples of code and JSON as it travels are nobody's language.
      if (node.parentElement?.closest("pre, code, style, script")) continue
      if (node instanceof Element) {
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          words.push(node.getAttribute(name) ?? "")
        }
      } else words.push(node.textContent ?? "")
    }
    return [...new Set(words.map((text) => text.trim()).filter(Boolean))]
  })
}

const namesOf = (tree: object): string[] => Object.keys(tree)
const leavesOf = (tree: object): string[] =>
  Object.values(tree).flatMap((leaf) => (typeof leaf === "string" ? [leaf] : leavesOf(leaf)))

/** The path of a text, a value that was not filled in, or what JavaScript writes where there is nothing. */
const UNFINISHED = new RegExp(
  `\\b(${namesOf(languages.en.svc).join("|")})\\.[a-z]\\w*(\\.\\w+)*\\b|\\{\\{|\\}\\}|\\bundefined\\b|\\bnull\\b|\\bNaN\\b|Invalid Date|\\[object`,
)
/** Words that no English sentence does without, and that none of our German ones has. */
const ENGLISH =
  /\b(the|is|are|of|and|with|to|not|no|from|by|for|this|that|has|were|it|its|your|you)\b/i
/** Texts that are the same in both languages say nothing. */
const ENGLISH_TEXTS = new Set(
  leavesOf(languages.en.svc).filter((text) => !leavesOf(languages.de.svc).includes(text)),
)

/**
 * What of the page is a text's path instead of the text, an empty value, or, where the admin speaks German, English.
 *
 * @param named what has an English name because the merchant gave it one: shows, products, connections
 */
export async function unfinishedOf(
  page: Page,
  language: Language,
  { named, widget }: { named: string[]; widget?: string },
): Promise<string[]> {
  const byLength = [...named].sort((a, b) => b.length - a.length)
  const words = (await wordsOf(page, widget)).map((text) =>
    byLength.reduce((rest, name) => rest.replaceAll(name, "…"), text),
  )
  return words.filter(
    (text) =>
      UNFINISHED.test(text) ||
      (language === "de" && (ENGLISH.test(text) || ENGLISH_TEXTS.has(text))),
  )
}

/** Headings of the tables whose last column is not on the screen: on a phone what is left must be state and amount. */
export async function cutTables(page: Page, widget?: string): Promise<string[]> {
  await markPart(page, widget)
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-looked-at] table")]
      .filter((table) => table.getBoundingClientRect().right > window.innerWidth + 1)
      .map((table) => table.querySelector("thead")?.textContent ?? ""),
  )
}

/** A picture of all of the page: Medusa's frame scrolls inside the window. */
export async function wholePage(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 1280 }
  const height = await page.evaluate(
    () => document.querySelector("main")?.scrollHeight ?? document.body.scrollHeight,
  )
  const before = page.viewportSize()
  await page.setViewportSize({ width, height: Math.min(3_000, height + 60) })
  await screenshot(page, name)
  if (before) await page.setViewportSize(before)
}
