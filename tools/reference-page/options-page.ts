/** `docs/options.md`, from the schema that reads the options. */
import type { z } from "zod"
import { CODE_OPTIONS, environmentName, TEXT_OPTIONS } from "../../src/modules/svc/options"
import { table } from "./page"

const HEAD = `# Options

In \`medusa-config.ts\`: \`plugins: [{ resolve: "medusa-plugin-svc", options: {} }]\`. All may be left out. An option wins over
its environment variable; an empty variable is none, and a name that no option has stops the start.

This page is written by \`npm run reference\` from the schema that reads the options, and \`npm run check\` fails where it is
out of date.
`

/** What holds where nothing is said. */
function defaultOf(schema: z.ZodType): string {
  const value = schema.parse(undefined)
  if (value === undefined) return "none"
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``
}

export function optionsPage(): string {
  const rows = [
    ...Object.entries(TEXT_OPTIONS).map(([name, schema]) => [
      `\`${name}\``,
      `\`${environmentName(name)}\``,
      defaultOf(schema),
      schema.description ?? "",
    ]),
    ...Object.entries(CODE_OPTIONS).map(([name, schema]) => [
      `\`${name}\``,
      "in code only",
      defaultOf(schema),
      schema.description ?? "",
    ]),
  ]
  return `${HEAD}\n${table(["option", "environment", "default", ""], rows)}\n`
}
