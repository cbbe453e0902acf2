import type { BusEvent, Refusal, Route, WrittenReason } from "./read-source"

export type Contents = {
  routes: Route[]
  refusals: Refusal[]
  /** Codes of a product that did not go into a basket as asked, and what each says. */
  cartCodes: Record<string, string>
  /** Codes of a call of the service that failed, and what to do about each. */
  reasons: WrittenReason[]
  events: BusEvent[]
}

/** Where the reasons of a source file are seen, in the order of the page. */
const PLACES: [file: RegExp, title: string, where: string][] = [
  [/\/client\//, "Calls of the service", "whatever the service was called for"],
  [/\/connections\//, "Connections", "`last_error` of a connection, and the health document"],
  [/\/catalog\//, "Products", "`reason` of a product and of an import"],
  [/\/shows\//, "Readiness", "`readiness.problems` of a show's product, and the health document"],
  [
    /\/webhooks\//,
    "Deliveries",
    "`reason` of a delivery, the doctor's findings, and the health document",
  ],
  [/\/orders\//, "Orders", "`reason` of an order"],
  [/./, "Everywhere", "wherever work is tried again by itself"],
]

const HEAD = `# Reference

Every route, refusal, reason and event of the plugin. This page is written by \`npm run reference\` from the sources, and
\`npm run check\` fails where it is out of date. The routes are an [OpenAPI document](openapi.json) as well. [Options](options.md) have a page of their own; what \`svc-storefront\`
exports is in the [storefront guide](storefront.md).
`

const cell = (text: string): string => text.replaceAll("|", "\\|")

/** A table of Markdown. */
export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`
  return [line(columns), `|${columns.map(() => "---|").join("")}`, ...rows.map(line)].join("\n")
}

/** A route's comment begins with the route itself, which is in the table beside it. */
const answer = ({ method, path, what }: Route): string =>
  what.replace(`\`${method} ${path}\``, "").replace(/^[\s:→.]+/, "") ||
  "Medusa's form of a deletion."

function routesBelow(routes: Route[], prefix: string): string {
  const rows = routes
    .filter(({ path }) => path.startsWith(prefix))
    .map((route) => [`\`${route.method} ${route.path}\``, answer(route)])
  return table(["route", "answers"], rows)
}

function reasonSections(reasons: WrittenReason[]): string[] {
  const placed = new Set<WrittenReason>()
  return PLACES.flatMap(([file, title, where]) => {
    const here = reasons.filter((reason) => file.test(reason.file) && !placed.has(reason))
    for (const reason of here) placed.add(reason)
    if (here.length === 0) return []
    const rows = here.map(({ code, message, fix }) => [`\`${code}\``, message, fix])
    return [
      `### ${title}\n\nSeen in ${where}.`,
      table(["code", "what happened", "what to do"], rows),
    ]
  })
}

/** The page, from what the sources say. */
export function referencePage(contents: Contents): string {
  const { routes, refusals, cartCodes, reasons, events } = contents
  return `${[
    HEAD.trimEnd(),
    "## Routes of the storefront",
    "They take the publishable key, as all store routes do.",
    routesBelow(routes, "/store/"),
    "## Routes of the admin",
    "They take an admin's session or a secret API key, as all admin routes do. Lists take `limit`, `offset`, `order`, `q` and filters.",
    routesBelow(routes, "/admin/"),
    "## Routes for the service and for monitors",
    routesBelow(routes, "/hooks/"),
    "## Refusals",
    "`{type, code, message}`; the code keeps its meaning.",
    table(
      ["code", "status", "what it means"],
      refusals.map(({ code, status, what }) => [`\`${code}\``, String(status), what]),
    ),
    "## Codes of a cart action",
    "`failed_products[].code` and `changes[].reason` of a cart action; the `message` beside it is for the shopper, in the shopper's language.",
    table(
      ["code", "what it means"],
      Object.entries(cartCodes).map(([code, what]) => [`\`${code}\``, what]),
    ),
    "## Reasons",
    "A stable `code`, a `message` that says what happened and a `fix` that says what to do. The admin says them in its five languages.",
    ...reasonSections(reasons),
    "## Events",
    "Emitted on Medusa's event bus. What each carries: [your own code](extending.md#events).",
    table(
      ["event", "when"],
      events.map(({ name, what }) => [`\`${name}\``, what]),
    ),
  ].join("\n\n")}\n`
}
