/** Pictures of a shop: where one cannot be had an icon stands in, as where there is none. */
import { icon } from "./icons.js"
import { h } from "./view.js"

/** Not asked for again: a page that is drawn each second would ask each second. */
const broken = new Set()

/**
 * @param {string | null | undefined} url
 * @param {{ sign: string, alt?: string, classes?: string }} options `sign` is an icon's name,
 *   `classes` begin with a dot
 */
export function picture(url, { sign, alt = "", classes = "" }) {
  const instead = () => h(`span${classes}.no-picture`, null, icon(sign))
  if (!url || broken.has(url)) {
    return instead()
  }
  return h(`img${classes}`, {
    src: url,
    alt,
    loading: "lazy",
    onerror: ({ currentTarget }) => {
      broken.add(url)
      currentTarget.replaceWith(instead())
    },
  })
}
