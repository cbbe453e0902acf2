import type { MedusaContainer } from "@medusajs/framework/types"
import type { Connection } from "../../../modules/svc"
import { readSnapshots } from "../prepare-products"

const connection = { id: "svccon_1", storefront_url: "https://shop.example" } as Connection
const ids = Array.from({ length: 12 }, (_, n) => `prod_${n}`)

/** A store in which nothing is found, and which takes so many products in one statement. */
function storeThatReads(most: number, code = "57014") {
  const sizes: number[] = []
  const read = async (_: Connection, asked: string[]) => {
    sizes.push(asked.length)
    if (asked.length > most) throw Object.assign(new Error("canceling statement"), { code })
    return { market: { region_name: null }, products: [], translations: new Map() }
  }
  const svc = { options: {}, catalog: { products: { read } } }
  return { sizes, container: { resolve: () => svc } as unknown as MedusaContainer }
}

describe("products that are read for a connection", () => {
  it("are read in smaller parts where they are too much for one statement, and all of them", async () => {
    const { container, sizes } = storeThatReads(5)
    const snapshots = await readSnapshots(container, connection, ids)
    expect([...snapshots.keys()]).toEqual(ids)
    expect(sizes).toEqual([12, 6, 3, 3, 6, 3, 3])
  })

  it("are not asked for again and again where the database is away, or one alone is too much", async () => {
    const away = storeThatReads(0, "08006")
    await expect(readSnapshots(away.container, connection, ids)).rejects.toThrow("canceling")
    expect(away.sizes).toEqual([12])
    const alone = storeThatReads(0)
    await expect(readSnapshots(alone.container, connection, ids)).rejects.toThrow("canceling")
    expect(alone.sizes).toEqual([12, 6, 3, 2, 1])
  })
})
