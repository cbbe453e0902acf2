/**
 * `docs/openapi.json`: the plugin's routes, from what stands in their handlers. A body and a query are what
 * their zod schemas take; an answer is what `res.json` is given, by its type. The HTTP tests hold every answer that they
 * see against it (`integration-tests/setup/documented-answers.ts`).
 */
import { join } from "node:path"
import ts from "typescript"
import type { Route } from "./read-source"

type Schema = { [key: string]: unknown }

/** What an operation says, as far as its handler and what that calls in `src/api` show it. */
type Found = { answers: Map<string, ts.Type[]>; body?: ts.Type; query: Map<string, Parameter> }
type Parameter = { schema: Schema; required?: true }

/** These answer for all routes alike; what they call says nothing about one. */
const SHARED = /\/src\/api\/(answer|body|csv|raw-body)\.ts$/

const REFUSAL = {
  description: "A refusal of ours, or of Medusa.",
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Refusal" } },
  },
}

export function openApi(root: string, routes: Route[]): string {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const fileOf = ({ path }: Route) =>
    join(root, "src/api", path.replaceAll(/:(\w+)/g, "[$1]"), "route.ts")
  const program = ts.createProgram(fileNames, { ...options, noEmit: true })
  const reader = new Reader(program.getTypeChecker())
  const paths: Record<string, Schema> = {}
  for (const route of routes) {
    const source = program.getSourceFile(fileOf(route))
    if (!source) throw new Error(`${fileOf(route)} is not there.`)
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}")
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: reader.operation(source, route) }
  }
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Routes of medusa-plugin-svc",
      version: "1",
      description:
        "A later version may add fields to answers. Store routes take the publishable key, admin routes a session or a secret API key, as all of Medusa's do.",
    },
    paths,
    components: {
      schemas: {
        Refusal: {
          type: "object",
          properties: {
            type: { type: "string" },
            code: {
              type: "string",
              description: "Keeps its meaning: docs/reference.md lists all.",
            },
            message: { type: "string" },
            params: { type: "object" },
          },
          required: ["message"],
        },
        ...reader.named(),
      },
    },
  }
  return `${written(document, 3)}\n`
}

/** A line for each operation and each schema: a change shows where it is. */
function written(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  const lines = entries.map(
    ([key, inner]) => `${JSON.stringify(key)}: ${written(inner, depth - 1)}`,
  )
  return `{\n${lines.join(",\n")}\n}`
}

class Reader {
  readonly #names = new Map<string, string>()
  readonly #schemas: Record<string, Schema> = {}

  constructor(private readonly checker: ts.TypeChecker) {}

  named(): Record<string, Schema> {
    return this.#schemas
  }

  operation(source: ts.SourceFile, { method, path, what }: Route): Schema {
    const found: Found = { answers: new Map(), query: new Map() }
    const exported = this.checker.getSymbolAtLocation(source)?.exports?.get(method as ts.__String)
    this.#read(declarationOf(exported), found, new Set())
    const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    }))
    const query = [...found.query].map(([name, it]) => ({ name, in: "query", ...it }))
    const answers = [...found.answers].map(([status, types]): [string, Schema] => {
      const schemas = types.map((type) => this.#answer(type))
      return [status, { description: what, ...json(anyOf(schemas)) }]
    })
    return {
      summary: what,
      parameters: [...params, ...query],
      ...(found.body && { requestBody: json(this.#schema(found.body, [])) }),
      responses: {
        // What is no JSON, of which the sentence says more.
        ...(answers.some(([status]) => status < "300") ? {} : { "200": { description: what } }),
        ...Object.fromEntries(answers),
        default: REFUSAL,
      },
    }
  }

  /** Everything that the declaration says, and whatever of `src/api` it names. */
  #read(node: ts.Node | undefined, found: Found, seen: Set<ts.Node>): void {
    if (!node || seen.has(node)) return
    seen.add(node)
    const visit = (inner: ts.Node): void => {
      if (ts.isCallExpression(inner)) this.#readCall(inner, found)
      if (ts.isVariableDeclaration(inner)) this.#readTaken(inner, found.query)
      if (ts.isIdentifier(inner)) {
        const declaration = this.#ownDeclaration(inner)
        if (declaration) this.#read(declaration, found, seen)
      }
      ts.forEachChild(inner, visit)
    }
    visit(node)
  }

  #ownDeclaration(name: ts.Identifier): ts.Node | undefined {
    let symbol = this.checker.getSymbolAtLocation(name)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias)
      symbol = this.checker.getAliasedSymbol(symbol)
    const declaration = declarationOf(symbol)
    const file = declaration?.getSourceFile().fileName ?? ""
    const isFunction =
      declaration &&
      (ts.isFunctionDeclaration(declaration) ||
        (ts.isVariableDeclaration(declaration) &&
          ts.isSourceFile(declaration.parent.parent.parent)))
    return isFunction && /\/src\/api\//.test(file) && !SHARED.test(file) ? declaration : undefined
  }

  #readCall(call: ts.CallExpression, found: Found): void {
    const [first, second] = call.arguments
    const name = call.expression.getText()
    const answered = /^res\b.*?(?:\.status\((.*)\))?\s*\.json$/s.exec(name)
    if (answered && first) {
      const type = this.checker.getTypeAtLocation(first)
      // A status that is computed is a refusal's, which `default` has.
      const statuses = answered[1]?.match(/\b[1-5]\d\d\b/g) ?? (answered[1] ? [] : ["200"])
      for (const status of statuses) {
        found.answers.set(status, [...(found.answers.get(status) ?? []), type])
      }
    }
    if (name === "readBody" && second) found.body = this.#inputOf(second)
    if (name === "readListQuery" && second) this.#readQuery(second, found.query)
    if (name === "readInput" && first && second?.getText() === "req.query") {
      const { properties = {}, required = [] } = this.#schema(this.#inputOf(first), []) as {
        properties?: Record<string, Schema>
        required?: string[]
      }
      for (const [field, schema] of Object.entries(properties)) {
        found.query.set(field, { ...(required.includes(field) && { required: true }), schema })
      }
    }
  }

  /** What a zod schema takes. */
  #inputOf(schema: ts.Expression): ts.Type {
    const input = this.checker.getTypeAtLocation(schema).getProperty("_input")
    if (!input) throw new Error(`${schema.getText()} is no schema.`)
    return this.checker.getTypeOfSymbolAtLocation(input, schema)
  }

  /** `const { field } = req.query` */
  #readTaken({ initializer, name }: ts.VariableDeclaration, query: Found["query"]): void {
    if (initializer?.getText() !== "req.query" || !ts.isObjectBindingPattern(name)) return
    for (const taken of name.elements) {
      query.set((taken.propertyName ?? taken.name).getText(), { schema: { type: "string" } })
    }
  }

  #readQuery(fields: ts.Expression, query: Found["query"]): void {
    const type = this.checker.getTypeAtLocation(fields)
    const namesOf = (field: string): string[] => {
      const symbol = type.getProperty(field)
      if (!symbol) return []
      const list = this.checker.getTypeOfSymbolAtLocation(symbol, fields)
      const one = this.checker.getIndexTypeOfType(list, ts.IndexKind.Number)
      const each = one?.isUnion() ? one.types : one ? [one] : []
      // The compiler's order changes with whatever else it has read.
      return each.flatMap((literal) => (literal.isStringLiteral() ? [literal.value] : [])).sort()
    }
    const sortable = namesOf("sortable").flatMap((column) => [column, `-${column}`])
    query.set("limit", { schema: { type: "integer", minimum: 1 } })
    query.set("offset", { schema: { type: "integer", minimum: 0 } })
    query.set("order", { schema: sortable.length > 0 ? { enum: sortable } : { type: "string" } })
    query.set("q", { schema: { type: "string" } })
    for (const filter of namesOf("filters")) {
      query.set(filter, { schema: { type: ["string", "array"], items: { type: "string" } } })
    }
    const extra = type.getProperty("extra")
    if (!extra) return
    for (const property of this.checker.getTypeOfSymbolAtLocation(extra, fields).getProperties()) {
      query.set(property.name, { schema: { type: "string" } })
    }
  }

  /** What an answer holds has a name of its own: several routes answer the same connection. */
  #answer(type: ts.Type): Schema {
    const schema = this.#schema(type, [])
    const properties = schema.properties as Record<string, Schema> | undefined
    if (!properties) return schema
    const named = Object.entries(properties).map(([key, value]): [string, Schema] => {
      if (value.type === "array" && isLarge(value.items as Schema)) {
        return [key, { ...value, items: this.#reference(singular(key), value.items as Schema) }]
      }
      return [key, isLarge(value) ? this.#reference(key, value) : value]
    })
    return { ...schema, properties: Object.fromEntries(named) }
  }

  #reference(key: string, schema: Schema): Schema {
    const text = JSON.stringify(schema)
    let name = this.#names.get(text)
    if (!name) {
      const wanted = key.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
      name = wanted
      for (let number = 2; this.#schemas[name]; number += 1) name = `${wanted}${number}`
      this.#names.set(text, name)
      this.#schemas[name] = schema
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #schema(type: ts.Type, above: ts.Type[]): Schema {
    const { checker } = this
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown) || above.includes(type)) return {}
    if (type.flags & ts.TypeFlags.Null) return { type: "null" }
    if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] }
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: "boolean" }
    if (type.flags & ts.TypeFlags.StringLike) return { type: "string" }
    if (type.flags & ts.TypeFlags.NumberLike) return { type: "number" }
    if (type.isUnion()) {
      const given = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
      return anyOf(given.map((each) => this.#schema(each, above)))
    }
    if (type.symbol?.name === "Date") return { type: "string", format: "date-time" }
    const inner = [...above, type]
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
      return { type: "array", items: item ? this.#schema(item, inner) : {} }
    }
    const map = checker.getIndexTypeOfType(type, ts.IndexKind.String)
    if (map) return { type: "object", additionalProperties: this.#schema(map, inner) }
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of checker.getPropertiesOfType(type)) {
      const its = checker.getTypeOfSymbol(property)
      if (its.getCallSignatures().length > 0) continue
      const isOptional =
        (property.flags & ts.SymbolFlags.Optional) !== 0 ||
        (its.isUnion() && its.types.some(({ flags }) => flags & ts.TypeFlags.Undefined)) ||
        (its.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
      properties[property.name] = this.#schema(its, inner)
      if (!isOptional) required.push(property.name)
    }
    return { type: "object", properties, ...(required.length > 0 ? { required } : {}) }
  }
}

const declarationOf = (symbol: ts.Symbol | undefined) => symbol?.declarations?.[0]

const json = (schema: Schema) => ({ content: { "application/json": { schema } } })

const isLarge = (schema: Schema) => JSON.stringify(schema).length > 300

const singular = (key: string) => key.replace(/ies$/, "y").replace(/s$/, "")

/** One of them, each named once; texts and types together where that says the same in less. */
function anyOf(schemas: Schema[]): Schema {
  const byText = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
  // In an order of their own: the compiler's changes with whatever else it has read.
  const each = [...byText]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, schema]) => schema)
  const texts = each.flatMap(({ enum: values }) => (Array.isArray(values) ? values : []))
  const others = each.filter((schema) => !schema.enum)
  const all = [...others, ...(texts.length > 0 ? [{ enum: texts.sort() }] : [])]
  const [only] = all
  if (all.length === 1 && only) return only
  const isSimple = all.every((schema) => Object.keys(schema).join() === "type")
  return isSimple ? { type: all.map(({ type }) => type) } : { anyOf: all }
}
