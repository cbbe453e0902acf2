/** What the reference page is made of: everything that the sources have, with a meaning for each. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { REFUSALS } from "../../../src/modules/svc/shared/refusal"
import { readEvents, readReasons, readRefusals, readRoutes } from "../read-source"

const ROOT = join(__dirname, "../../..")

it("finds every refusal, and what each means", () => {
  const refusals = readRefusals(ROOT)
  expect(refusals.map(({ code, status }) => [code, status])).toEqual(
    Object.entries(REFUSALS).map(([code, { status }]) => [code, status]),
  )
  expect(refusals.filter(({ what }) => what === "")).toEqual([])
})

it("finds every route, and what each answers", () => {
  const routes = readRoutes(ROOT)
  expect(routes.filter(({ what }) => what === "")).toEqual([])
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      "POST /store/carts/:id/svc/some-checkout",
      "DELETE /admin/svc/connections/:id",
      "POST /hooks/svc/:connection_id",
    ]),
  )
})

it("finds every reason of the catalogue", () => {
  const reasons = readReasons(ROOT)
  expect(reasons).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: "no_variants", fix: "Add a variant with a price." }),
      expect.objectContaining({
        code: "email_excluded",
        message: "Orders with an e-mail address like {{pattern}} are not reported.",
      }),
      expect.objectContaining({
        code: "out_of_stock",
        message: "The product is out of stock, or fewer are left than the show's minimum.",
      }),
    ]),
  )
})

it("says of each event when it comes", () => {
  const events = readEvents(ROOT)
  expect(events.map(({ name }) => name)).toContain("svc.live_event.started")
  expect(events.filter(({ what }) => what === "")).toEqual([])
})

it("says of each GET in the OpenAPI document that reads its query what it takes, and that it may succeed", () => {
  const document = readFileSync(join(ROOT, "docs/openapi.json"), "utf8")
  type Operation = {
    parameters: { name: string; in: string; required?: boolean }[]
    responses: Record<string, object>
  }
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, Operation>> }
  const takesQuery = (path: string) => {
    const file = join(ROOT, "src/api", path.replaceAll("{", "[").replaceAll("}", "]"), "route.ts")
    return existsSync(file) && readFileSync(file, "utf8").includes("req.query")
  }
  const reading = Object.entries(paths).filter(([path]) => takesQuery(path))
  expect(reading.length).toBeGreaterThan(5)
  const silent = reading.filter(
    ([, { get }]) => !get?.parameters.some((parameter) => parameter.in === "query"),
  )
  expect(silent.map(([path]) => path)).toEqual([])
  const shows = paths["/admin/svc/products/shows"]?.get?.parameters
  expect(shows).toMatchObject([{ name: "product_id", required: true }])
  const reasons = paths["/admin/svc/products/reasons"]?.get?.parameters
  expect(reasons).toMatchObject([{ name: "connection_id" }, { name: "state" }])
  const failing = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith("2")))
  expect(failing).toEqual([])
})

it("has no refusal among the answers of success in the OpenAPI document", () => {
  type Schema = { anyOf?: Schema[]; required?: string[] }
  type Answer = { content?: { "application/json": { schema: Schema } } }
  const { paths } = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  }
  const answers = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content }]) => content?.["application/json"].schema ?? [])
    .flatMap((schema) => schema.anyOf ?? [schema])
  expect(answers.length).toBeGreaterThan(40)
  const isRefusal = ({ required = [] }: Schema) =>
    ["type", "code", "message"].every((name) => required.includes(name))
  expect(answers.filter(isRefusal)).toEqual([])
})

it("calls a failed product's code and a change's as their schemas in the OpenAPI document do", () => {
  const { components } = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8"))
  const page = readFileSync(join(ROOT, "docs/reference.md"), "utf8")
  const [, failed = "", changed = ""] =
    /`failed_products\[\]\.(\w+)` and `changes\[\]\.(\w+)`/.exec(page) ?? []
  expect(components.schemas.Change.properties).toHaveProperty(changed)
  expect(components.schemas.FailedProduct.properties).toHaveProperty(failed)
})
