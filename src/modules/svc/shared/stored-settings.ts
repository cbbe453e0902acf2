/**
 * Settings as a connection's row holds them. One that cannot be read must not turn the others off: a newer version may have
 * written it, or somebody by hand. Where it is one that narrows what leaves the store, nothing leaves it until a person
 * has looked.
 */
import type { z } from "zod"
import { type Reason, reasonFor } from "./reason"

/**
 * @param name of the column
 * @param narrowing fields without which more would be sent than was asked for
 * @returns the settings that can be read, the others as if they were not there; and the first of those that must not be
 *   guessed, as `column.field`
 */
export function readStored<Shape extends z.ZodRawShape>(
  name: string,
  stored: unknown,
  schema: z.ZodObject<Shape>,
  narrowing: readonly (keyof Shape & string)[],
): { settings: z.infer<z.ZodObject<Shape>>; unreadable: string | null } {
  const isSettings = typeof stored === "object" && stored !== null && !Array.isArray(stored)
  if (!isSettings) {
    const nothing = stored === null || stored === undefined
    return { settings: schema.parse({}), unreadable: nothing ? null : name }
  }
  const readable: Record<string, unknown> = {}
  let unreadable: string | null = null
  for (const [field, inner] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value: unknown = Reflect.get(stored, field)
    if (value === undefined) continue
    if (inner.safeParse(value).success) readable[field] = value
    else if (narrowing.includes(field)) unreadable ??= `${name}.${field}`
  }
  return { settings: schema.parse(readable), unreadable }
}

/** Why nothing is sent that depends on a setting. */
export const settingUnreadable = (setting: string): Reason =>
  reasonFor("setting_unreadable", { setting })
