/** What the reference page is made of: everything that the sources have, with a meaning for each. */
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
