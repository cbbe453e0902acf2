/** Catalog import (interface §2.1, §4.2). */

import { Box, CONFIGURABLE, type ErrorBody, SIMPLE } from "./harness"

type Result = { id: string; status: string; error?: { fields: { field: string }[] } }
type Answer = { results: Result[]; accepted: number; rejected: number }

const box = Box.forAll()

async function pushed(...products: unknown[]): Promise<Answer> {
  const answer = await box.call<Answer>("POST", "/products", { products })
  expect(answer.status).toBe(200)
  return answer.body
}

async function refusedFields(product: unknown): Promise<string[]> {
  const { results, rejected } = await pushed(product)
  expect(rejected).toBe(1)
  expect(await box.received()).toEqual([])
  return results[0]?.error?.fields.map(({ field }) => field) ?? []
}

function without(product: Record<string, unknown>, field: string): Record<string, unknown> {
  const { [field]: _, ...rest } = product
  return rest
}

describe("§2.1 required fields", () => {
  for (const field of ["id", "sku", "name", "price", "url", "type", "status"]) {
    for (const product of [SIMPLE, CONFIGURABLE]) {
      test(`§2.1 ${field} is required of a ${product.type} product`, async () => {
        expect(await refusedFields(without(product, field))).toEqual([field])
      })
    }
  }

  for (const field of ["configurableOptions", "variants"]) {
    test(`§2.1 ${field} is required of a configurable product`, async () => {
      expect(await refusedFields(without(CONFIGURABLE, field))).toEqual([field])
    })
  }

  test("§2.1 all fields that are missing are named at once", async () => {
    expect(await refusedFields({ id: "x" })).toEqual(
      expect.arrayContaining(["sku", "name", "price", "url", "type", "status"]),
    )
  })
})

describe("§2.1 types", () => {
  const wrong: [string, unknown[]][] = [
    ["id", [7, "", null]],
    ["sku", [7, ""]],
    ["name", [7, ""]],
    ["price", ["299", -1, null]],
    ["url", ["shop.example/lamp", 7, "ftp://shop.example/lamp"]],
    ["type", ["bundle", 7]],
    ["status", [true, ""]],
    ["image", ["lamp.jpg", 7, null]],
    ["inventory", ["12", -1, null]],
    ["manageStock", ["yes", 1, null]],
  ]
  for (const [field, values] of wrong) {
    test(`§2.1 ${field} of another type is refused`, async () => {
      for (const value of values) {
        expect([value, await refusedFields({ ...SIMPLE, [field]: value })]).toEqual([
          value,
          [field],
        ])
      }
    })
  }

  const optional: [string, unknown][] = [
    ["image", "https://shop.example/lamp.jpg"],
    ["inventory", 12],
    ["manageStock", true],
  ]
  for (const [field, value] of optional) {
    test(`§2.1 ${field} is optional and kept`, async () => {
      await box.push(SIMPLE, { ...SIMPLE, id: "second", [field]: value })
      const received = await box.received()
      expect(received[0]?.product).toEqual(SIMPLE)
      expect(received[1]?.product[field]).toEqual(value)
    })
  }

  test("§2.1 a simple product has no variants", async () => {
    expect(await refusedFields({ ...SIMPLE, variants: CONFIGURABLE.variants })).toEqual([
      "variants",
    ])
  })

  test("§2.1 a configurable product without any variant or option is refused", async () => {
    for (const field of ["variants", "configurableOptions"]) {
      expect(await refusedFields({ ...CONFIGURABLE, [field]: [] })).toEqual([field])
    }
  })

  const variant = (fields: object) => ({ variants: [{ id: "a", ...fields }] })
  test.each<[string, object, string]>([
    ["a variant without any id", { variants: [{}] }, "variants.0"],
    ["two variants of one id", { variants: ["a", "b", "a"].map((id) => ({ id })) }, "variants.2"],
    ["negative stock of a variant", variant({ inventory: -2 }), "variants.0.inventory"],
    ["null as a variant's stock", variant({ inventory: null }), "variants.0.inventory"],
    ["null as a variant's price", variant({ price: null }), "variants.0.price"],
    ["text as a variant's price", variant({ price: "199" }), "variants.0.price"],
    ["a negative price of a variant", variant({ price: -1 }), "variants.0.price"],
    ["null as an option", { configurableOptions: [null] }, "configurableOptions.0"],
    ["a number as an option", { configurableOptions: [7] }, "configurableOptions.0"],
    ["an empty option", { configurableOptions: [{}] }, "configurableOptions.0"],
    ["an empty text as an option", { configurableOptions: [""] }, "configurableOptions.0"],
  ])(
    "§2.1 %s is refused, but by a service that does not look inside",
    async (_what, fields, field) => {
      const product = { ...CONFIGURABLE, ...fields }
      expect(await refusedFields(product)).toEqual([field])
      await box.control("POST", "/profiles", { product_rules: "outside_only" })
      expect((await pushed(product)).accepted).toBe(1)
    },
  )

  test("§2.1 any status is taken, enabled among them", async () => {
    const { accepted } = await pushed(
      SIMPLE,
      { ...SIMPLE, id: "b", status: "disabled" },
      { ...SIMPLE, id: "c", status: "archived" },
    )
    expect(accepted).toBe(3)
  })

  test("§2.1 options, variants and images may have any inner shape", async () => {
    for (const option of [
      "size",
      { title: "Size", options: [] },
      { name: "Size", values: ["S"] },
    ]) {
      const product = {
        ...CONFIGURABLE,
        configurableOptions: [option],
        variants: [{ code: "S" }],
        gallery: ["https://shop.example/2.jpg"],
      }
      await box.push(product)
      expect((await box.received())[0]?.product).toEqual(product)
    }
  })

  test("§2.1 fields beyond those listed are kept as they came", async () => {
    const product = { ...SIMPLE, brand: "Nord", nested: { a: [1, null, "ø"] } }
    await box.push(product)
    expect((await box.received())[0]?.product).toEqual(product)
  })
})

describe("§4.2 POST /products", () => {
  test("§4.2 takes an object with an array of products", async () => {
    for (const body of [{}, { products: {} }, [SIMPLE], { items: [SIMPLE] }]) {
      const answer = await box.call<ErrorBody>("POST", "/products", body)
      expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"])
    }
    const { results } = await pushed(SIMPLE, CONFIGURABLE)
    expect(results).toEqual([
      { id: "prod_lamp", status: "created" },
      { id: "prod_shirt", status: "created" },
    ])
  })

  test("§4.2 re-sending a product updates it", async () => {
    await box.push(SIMPLE)
    await box.clock({ advance: 5000 })
    const { results } = await pushed({ ...SIMPLE, price: 249 })
    expect(results).toEqual([{ id: "prod_lamp", status: "updated" }])
    const [lamp, ...others] = await box.received()
    expect(others).toEqual([])
    expect(lamp).toMatchObject({ pushes: 2, product: { price: 249 } })
    expect((lamp?.received_at ?? 0) - (lamp?.first_received_at ?? 0)).toBe(5000)
  })

  test("§2.1 name, price, inventory, images, status and variants are updatable", async () => {
    await box.push(CONFIGURABLE)
    const update = {
      ...CONFIGURABLE,
      name: "Shirt, washed",
      price: 149,
      inventory: 3,
      image: "https://shop.example/shirt-3.jpg",
      status: "disabled",
      variants: [{ id: "variant_s", sku: "SHIRT-S", options: { Size: "S" } }],
    }
    await box.push(update)
    const [shirt] = await box.received()
    expect(shirt?.product).toEqual(update)
  })

  test("§4.2 a bad product does not hold back the others, and is named", async () => {
    const { results, accepted, rejected } = await pushed(SIMPLE, { id: "bad" }, 7, CONFIGURABLE)
    expect([accepted, rejected]).toEqual([2, 2])
    expect(results.map(({ id, status }) => [id, status])).toEqual([
      ["prod_lamp", "created"],
      ["bad", "error"],
      ["products[2]", "error"],
      ["prod_shirt", "created"],
    ])
  })

  test("§4.2 a refused update leaves the product as it was", async () => {
    await box.push(SIMPLE)
    await pushed({ ...SIMPLE, price: "free" })
    expect((await box.received())[0]).toMatchObject({ pushes: 1, product: { price: 299 } })
  })

  test("§4.2 pages do not see each other's products", async () => {
    await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
    await box.push(SIMPLE)
    await box.call(
      "POST",
      "/products",
      { products: [{ ...SIMPLE, price: 1 }] },
      { authorization: "Token other-token" },
    )
    const received = await box.received()
    expect(received.map(({ page_uid, product }) => [page_uid, product.price])).toEqual([
      ["demo-page", 299],
      ["other", 1],
    ])
  })
})
