import { missingColumns } from "../check-columns"
import { CORE_COLUMNS } from "../columns"

const everything = Object.values(CORE_COLUMNS).flatMap((ofUse) =>
  Object.entries(ofUse).flatMap(([table_name, names]) =>
    names.map((column_name) => ({ table_name, column_name })),
  ),
)
const without = (table: string, column?: string) =>
  everything.filter(
    (row) => row.table_name !== table || (column !== undefined && row.column_name !== column),
  )

describe("the columns of Medusa's tables that we rely on", () => {
  it("are no problem where all are there, whatever else is", () => {
    expect(missingColumns(everything)).toEqual([])
    expect(
      missingColumns([...everything, { table_name: "product", column_name: "brand_new" }]),
    ).toEqual([])
  })

  it("are told one by one, with everything that stands still", () => {
    expect(missingColumns(without("cart_line_item", "is_custom_price"))).toEqual([
      {
        code: "core_table_changed",
        message:
          "This version of Medusa has removed what the plugin reads (cart_line_item.is_custom_price), so this stands still: selling at the prices of shows.",
        fix: expect.stringMatching(/Update medusa-plugin-svc/),
        params: {
          missing: "cart_line_item.is_custom_price",
          uses: "selling at the prices of shows",
        },
      },
    ])
    const [problem, ...others] = missingColumns(without("product_variant", "product_id"))
    expect(others).toEqual([])
    expect(problem?.message).toContain("sending products to the service")
    expect(problem?.message).toContain("noticing changes of products, prices and stock")
  })

  it("are told once where the whole table is gone", () => {
    const [problem, ...others] = missingColumns(without("order_cart"))
    expect(others).toEqual([])
    expect(problem?.message).toContain("(order_cart)")
  })
})
