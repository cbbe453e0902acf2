import { isObject, type Json } from "./json"

/** Names under which an answer may hold what it is about; the interface shows the shape of no answer. */
const WRAPPERS = ["data", "result", "webhook", "subscriber"]

/** An object of an answer, and its path there, as in `data.`; empty for the answer itself. */
export type Layer = { path: string; fields: Json }

/** An answer, and what it wraps, the outermost first; none where it is no object. */
export function layersOf(answer: unknown): Layer[] {
  const layers: Layer[] = []
  let [path, inner] = ["", answer]
  while (isObject(inner)) {
    const fields: Json = inner
    layers.push({ path, fields })
    const name = WRAPPERS.find((each) => isObject(fields[each]))
    if (name === undefined) break
    path = `${path}${name}.`
    inner = fields[name]
  }
  return layers
}

/** Whether a field says something: null and an empty text say nothing. */
export const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== ""

/** The fields of an answer wherever they stand: the inner one counts, unless it says nothing. Null where it is no object. */
export function unwrapped(answer: unknown): Json | null {
  const layers = layersOf(answer)
  if (layers.length === 0) return null
  const said = layers.map(({ fields }) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => isSaid(value))),
  )
  return Object.assign({}, ...said)
}
