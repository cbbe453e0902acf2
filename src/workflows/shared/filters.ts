/** What lists, and routes for all that match, are narrowed by: one form in queries, in bodies and in workflows. */
import { z } from "zod"

const MOST_VALUES = 1_000

/** A value to filter by. No id, code or state has a control character, and Postgres takes no NUL. */
export const filterText = z
  .string()
  .trim()
  .max(500)
  .refine((value) => !/\p{Cc}/u.test(value), "must not contain control characters")

const oneOrMany = z
  .union([filterText, z.array(filterText).max(MOST_VALUES)])
  .transform((value) => [value].flat())

/** Fields to filter by, each once or several times. */
export const filtersOf = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, oneOrMany.optional()])) as Record<
    Name,
    z.ZodOptional<typeof oneOrMany>
  >

/** A day (which begins at midnight UTC) or a moment, in ISO 8601; a route has made a Date of it for its workflow. */
export const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }), z.date()])
  .transform((value) => new Date(value))

/** Body of a route for all that match: at least one filter, because nothing must not stand for everything. */
export const someFilters = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({
    filters: z
      .strictObject(shape)
      .refine((filters) => Object.values(filters).some(Boolean), "must name at least one"),
  })
