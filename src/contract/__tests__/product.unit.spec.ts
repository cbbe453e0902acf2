import { configurable, simple, variant } from "../../../integration-tests/setup/pushed-products"
import { pushedProduct, readPushFailures } from "../product"

const sent = ["a", "b", "c"].map((id) => {
  const variants = ["small", "large"].map((size) =>
    variant(`${id}-${size}`, { sku: `SKU-${id}-${size}` }),
  )
  return JSON.stringify({ ...configurable(...variants), id })
})

describe("what the service says of single products in a 2xx answer (gap 23)", () => {
  it.each(
    Object.entries({
      "a list of errors": { errors: [{ id: "a", message: "no" }] },
      "products with a verdict": {
        products: [
          { id: "a", valid: false, reason: "no" },
          { id: "b", valid: true },
          { id: "c", status: "created" },
        ],
      },
      "an error as an object": { results: [{ id: "a", error: { code: null, message: "no" } }] },
      "a status in numbers": {
        results: [
          { id: "a", status: 422, message: "no" },
          { id: "b", status: 200 },
        ],
      },
      "a status in numbers, as text": { results: [{ id: "a", status: "422", message: "no" }] },
      "a verdict as text": { results: [{ id: "a", valid: "false", message: "no" }] },
      "a list of its errors": {
        results: [
          { id: "a", errors: ["no"] },
          { id: "b", errors: [] },
        ],
      },
      "an answer that wraps them": {
        data: { results: [{ id: "a", status: "error", message: "no" }] },
      },
      "a list of its own": [{ id: "a", status: "error", message: "no" }, { id: "b" }],
      "a list under another usual name": { data: [{ id: "a", status: "error", message: "no" }] },
      "another name for the id": { errors: [{ product_id: "a", error: "no" }] },
      "the shop's id beside the service's own (interface §2.7)": {
        results: [
          { id: "svc_1", externalId: "a", status: "error", message: "no" },
          { id: "svc_2", externalId: "b", status: "updated" },
        ],
      },
      "a number of the service's own": { errors: [{ id: 881, productId: "a", message: "no" }] },
      "the id of a variant": { errors: [{ id: "a-large", message: "no" }] },
      "a sku beside the service's own id": {
        errors: [{ id: 7, sku: "SKU-a-large", message: "no" }],
      },
      "a sku, which the service's own id of another one may be like": {
        errors: [{ id: "SKU-b-small", sku: "SKU-a-large", message: "no" }],
      },
    }),
  )("is read from %s", (_, body) => {
    expect(readPushFailures(body, sent)).toEqual([{ id: "a", code: null, message: "no" }])
  })

  it.each([
    [
      "the service's own id alone",
      { results: [{ id: "svc_1", status: "error" }, { id: "svc_2" }] },
    ],
    ["a number", { errors: [{ id: 881, message: "no" }] }],
    ["a sku that several have", { errors: [{ id: "a" }, { sku: "mug", message: "no" }] }],
    ["its own id, which is like a sku", { errors: [{ id: "SKU-a-large", message: "no" }] }],
    ["nothing", { results: [{ status: "created" }, { status: "error", message: "no" }] }],
    ["its place alone", { results: [{ index: 1, status: "error" }] }],
    ["nothing, in a bare list", [{ status: "created" }, { status: "error", message: "no" }]],
    ["an id deeper in it", { results: [{ product: { id: "a" }, status: "error" }] }],
  ])("may be of any product where one that failed is named by %s", (_, body) => {
    expect(readPushFailures(body, sent)).toBeNull()
  })

  it.each([
    ["the service's own id", { id: "svc_881", status: "error", message: "no" }],
    ["a sku that nobody sent", { sku: "svc-mug", error: "no" }],
    ["nothing", { status: "error", message: "no" }],
  ])("is of the only product that was sent, also where it is named by %s", (_, entry) => {
    expect(readPushFailures({ results: [entry] }, sent.slice(0, 1))).toEqual([
      { id: "a", code: null, message: "no" },
    ])
  })

  it("keeps the service's own code, wherever it stands", () => {
    expect(
      readPushFailures({ errors: [{ id: "a", code: "x", message: "no" }] }, sent)?.[0]?.code,
    ).toBe("x")
    expect(readPushFailures({ errors: [{ id: "a", error: { code: "y" } }] }, sent)?.[0]).toEqual({
      id: "a",
      code: "y",
      message: "The service gave no reason.",
    })
  })

  it.each([
    ["nothing", null],
    ["text", "ok"],
    ["a list of texts", ["a"]],
    ["a message alone, which may be good news", { products: [{ id: "a", message: "ok" }] }],
    ["a product that was disabled on purpose", { products: [{ id: "a", status: "disabled" }] }],
    [
      "errors without an id, which are the whole answer's",
      { errors: [{ message: "something" }, null, 5] },
    ],
    ["an entry without an id that did not fail", { results: [{ status: "created" }] }],
    ["a count in place of a list", { errors: 0 }],
    ["a list of errors that is empty", { results: [{ id: "a", error: [] }] }],
    ["an object of errors that is empty", { results: [{ id: "b", error: {} }] }],
  ])("is nothing in %s: the batch is acknowledged", (_, body) => {
    expect(readPushFailures(body, sent)).toEqual([])
  })

  it("is stored whatever characters it has, and not at any length", () => {
    const [failure] =
      readPushFailures({ errors: [{ id: "a", message: `\0${"x".repeat(9000)}` }] }, sent) ?? []
    expect(failure?.message).toHaveLength(500)
    expect(failure?.message).not.toContain("\0")
    const [odd] =
      readPushFailures({ errors: [{ id: "a", message: "half \ud83d of a pair" }] }, sent) ?? []
    expect(Buffer.from(odd?.message ?? "", "utf8").toString()).toBe(odd?.message)
  })
})

describe("a product as it is pushed (interface §2.1)", () => {
  it("needs the minimum fields of a simple product, and no others", () => {
    expect(pushedProduct.safeParse(simple).success).toBe(true)
    for (const field of Object.keys(simple)) {
      const { [field as keyof typeof simple]: _, ...rest } = simple
      expect([field, pushedProduct.safeParse(rest).success]).toEqual([field, false])
    }
  })

  it("needs options and variants where it is configurable", () => {
    const whole = configurable(variant("v"))
    expect(pushedProduct.safeParse(whole).success).toBe(true)
    expect(pushedProduct.safeParse({ ...whole, variants: [] }).success).toBe(false)
    expect(pushedProduct.safeParse({ ...whole, configurableOptions: undefined }).success).toBe(
      false,
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0.01, "1"])("refuses the price %p", (price) => {
    expect(pushedProduct.safeParse({ ...simple, price }).success).toBe(false)
  })
})
