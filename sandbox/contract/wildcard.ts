/** Patterns in which `*` stands for any text: in fault rules and in the journal's query language. */

export function wildcard(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replace(/\*+/g, "[\\s\\S]*")
  return new RegExp(`^${escaped}$`, flags)
}
