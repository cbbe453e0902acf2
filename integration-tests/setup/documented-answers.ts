/** Holds every answer of a route of ours that a test sees against `docs/openapi.json`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import Ajv, { type ValidateFunction } from "ajv/dist/2020"
import type { AxiosInstance, AxiosResponse } from "axios"
import { REFUSALS } from "../../src/modules/svc"
import { ROOT } from "../../tools/child"

type Content = { content?: { "application/json"?: { schema: object } } }
type Operation = { summary: string; responses: Record<string, Content> }
type Document = { paths: Record<string, Record<string, Operation>>; components: object }

const { paths, components } = JSON.parse(
  readFileSync(join(ROOT, "docs/openapi.json"), "utf8"),
) as Document
const ajv = new Ajv({ strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

/** A path that is written out is not another one's parameter. */
const routes = Object.entries(paths)
  .sort(([one], [other]) => one.split("{").length - other.split("{").length)
  .map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    path,
    operations,
  }))

/** Refusals that any route may give: it need not name them. */
const OF_EVERY_ROUTE = ["invalid_request", "body_too_large", "not_plain_json", "not_found"]

/** What the answer says otherwise than the document; null where there is nothing. */
function difference({ config, status, data, headers }: AxiosResponse): string | null {
  const { pathname } = new URL(config.url ?? "", config.baseURL)
  const { path, operations } = routes.find(({ pattern }) => pattern.test(pathname)) ?? {}
  const method = (config.method ?? "get").toLowerCase()
  const operation = operations?.[method]
  if (!operation || !String(headers["content-type"]).startsWith("application/json")) return null
  const { responses, summary } = operation
  const answer = responses[status] ?? (status >= 400 ? responses.default : undefined)
  const name = `${method.toUpperCase()} ${path} -> ${status}`
  if (!answer) return `${name} is not in docs/openapi.json`
  const { code } = data
  const isNamed = OF_EVERY_ROUTE.includes(code) || summary.includes(`\`${code}\``)
  if (status >= 400 && Object.hasOwn(REFUSALS, code) && !isNamed) {
    return `${name} refuses with ${code}, which the route's comment does not name`
  }
  const schema = answer.content?.["application/json"]?.schema
  if (!schema) return null
  const validate = validators.get(name) ?? ajv.compile({ ...schema, components })
  validators.set(name, validate)
  if (validate(data)) return null
  return `${name} is not what docs/openapi.json says: ${ajv.errorsText(validate.errors)}`
}

function check(response: AxiosResponse): AxiosResponse {
  const problem = difference(response)
  if (problem) throw new Error(problem)
  return response
}

export function documented(api: AxiosInstance): AxiosInstance {
  api.interceptors.response.use(check, (error) => {
    if (error.response) check(error.response)
    throw error
  })
  return api
}
