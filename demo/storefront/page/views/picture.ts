import { h } from "../dom"

/**
 * A product's picture in a frame that keeps its place while it loads. Decoration: the name stands
 * beside it, so it has no words of its own unless given.
 */
export function picture(
  url: string | null | undefined,
  { alt = "", eager = false, class: name = "" } = {},
): HTMLElement {
  const frame = h("span", { class: `picture ${name}` })
  if (url) {
    const image = h("img", {
      src: url,
      alt,
      loading: eager ? "eager" : "lazy",
      decoding: "async",
      width: 800,
      height: 800,
      onerror: () => image.remove(),
    })
    frame.append(image)
  }
  return frame
}
