import type { MedusaContainer } from "@medusajs/framework/types"
import type { Connection } from "../../../modules/svc"
import type { ProductSnapshot } from "../../../modules/svc/catalog"
import { readSnapshots } from "../prepare-products"

const connection = { id: "svccon_1", storefront_url: "https://shop.example" } as Connection
const ids = Array.from({ length: 12 }, (_, n) => `prod_${n}`)

/** A store that takes so many products in one statement, or all but one. @param others what its service has besides */
function storeThatReads(
  most: number,
  { code = "57014", never = "", status = "published", others = [] as string[] } = {},
) {
  const sizes: number[] = []
  const read = async (asked: string[]) => {
    sizes.push(asked.length)
    if (asked.length > most || asked.includes(never)) {
      throw Object.assign(new Error("canceling statement"), { code })
    }
    return asked.map((id) => ({ id, title: id, deleted: false, in_channel: true, status }))
  }
  const items = { someSynced: async () => others }
  const svc = { options: {}, catalog: { items, storeProducts: { read } } }
  const market = {
    listRegions: async () => [],
    listSalesChannels: async () => [{ is_disabled: false }],
  }
  const resolved = { ...svc, ...market }
  return { sizes, container: { resolve: () => resolved } as unknown as MedusaContainer }
}

/** Ids of those that could not be read. */
const unread = (snapshots: Map<string, ProductSnapshot>): string[] =>
  [...snapshots].flatMap(([id, snapshot]) =>
    snapshot.kind === "for_sale" &&
    !snapshot.mapped.ok &&
    snapshot.mapped.reason.code === "unreadable"
      ? id
      : [],
  )

describe("products that are read for a connection", () => {
  // It took too long, or it has more values than the protocol can count.
  it.each(["57014", "08P01"])(
    "are read in smaller parts where they are too much for one statement (%s), and all of them",
    async (code) => {
      const { container, sizes } = storeThatReads(5, { code })
      const snapshots = await readSnapshots(container, connection, ids)
      expect([...snapshots.keys()]).toEqual(ids)
      expect(sizes).toEqual([12, 6, 3, 3, 6, 3, 3])
    },
  )

  it("do not wait for one that is too much by itself, wherever it stands among them", async () => {
    for (const never of [ids[0], ids[7], ids[11]]) {
      const { container } = storeThatReads(5, { never })
      const snapshots = await readSnapshots(container, connection, ids)
      expect(unread(snapshots)).toEqual([never])
      expect(snapshots.size).toBe(ids.length)
    }
  })

  it("have one at fault where no other was asked for, once another can be read that is for sale", async () => {
    const alone = storeThatReads(5, { never: "prod_0", others: ["prod_1"] })
    expect(unread(await readSnapshots(alone.container, connection, ["prod_0"]))).toEqual(["prod_0"])
    // What is not for sale is read without its prices.
    for (const more of [{ others: ["prod_0"] }, { others: ["prod_1"], status: "draft" }]) {
      const { container } = storeThatReads(5, { never: "prod_0", ...more })
      await expect(readSnapshots(container, connection, ["prod_0"])).rejects.toThrow("canceling")
    }
  })

  it("are not asked for again and again where the database is away, or too slow for any", async () => {
    const away = storeThatReads(0, { code: "08006" })
    await expect(readSnapshots(away.container, connection, ids)).rejects.toThrow("canceling")
    expect(away.sizes).toEqual([12])
    const slow = storeThatReads(0)
    await expect(readSnapshots(slow.container, connection, ids)).rejects.toThrow("canceling")
    expect(slow.sizes).toEqual([12, 6, 3, 2, 1, 1])
  })
})
