/** `docs/options.md`, from the schema that reads the options. */
import type { z } from "zod"
import { CODE_OPTIONS, environmentName, TEXT_OPTIONS } from "../../src/modules/svc/options"
import { table } from "./page"

const HEAD = `# Options

In \`medusa-config.ts\`: \`plugins: [{ resolve: "medusa-plugin-svc", options: {} }]\`. All may be left out. An option wins over
its environment variable; an empty variable is none. In \`options\` a name that no option has stops the start; a misspelt variable is
ignored. \`medusa-plugin-svc/modules/svc\` has the types of the options that are functions: \`ProductMapper\`, \`ReportFields\`, and
\`GivenPrice\` for what \`readCampaignPrice\` returns.

Two variables are no options: \`SVC_NIGHT\` ([the hour of the night's work](operations.md#the-nights-work)) and \`SVC_ADMIN_API_KEY\` (of
[the command](operations.md#the-command)).

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
