import { readdirSync } from "node:fs"
import { join } from "node:path"
import { WorkflowManager } from "@medusajs/framework/orchestration"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { parseExpression } from "cron-parser"
import { SVC_MODULE } from "../../src/modules/svc"
import { adminHeaders, describeStore, ROOT, UNSEEDED } from "../setup/medusa"

const JOBS = join(ROOT, "src/jobs")
/** These compare everything with the service. All others heal what an event failed to tell, and nobody waits longer. */
const HOURLY = ["purge-deliveries.ts"]
const NIGHTLY = ["sweep-catalog.ts", "read-listings.ts", "sweep-orders.ts"]
const MINUTE = 60_000

describeStore(({ api, getContainer }) => {
  describe("the store that runs the plugin's sources", () => {
    it.each(readdirSync(JOBS))(
      "comes to the job %s by itself, in a minute, in an hour or at night",
      async (file) => {
        const { config } = await import(join(JOBS, file))
        const { schedule } = WorkflowManager.getWorkflow(`job-${config.name}`)?.options ?? {}
        if (typeof schedule !== "object" || !("cron" in schedule))
          throw new Error("not on the clock")
        const clock = parseExpression(schedule.cron, { tz: "UTC" })
        const [first, second] = [clock.next(), clock.next()]
        const waitMs = second.getTime() - first.getTime()
        if (NIGHTLY.includes(file)) {
          expect(waitMs).toBe(24 * 60 * MINUTE)
          // When few shops are busy, and not on the hour, when everybody else's jobs run.
          expect([first.getHours() < 5, first.getMinutes() === 0]).toEqual([true, false])
        } else if (HOURLY.includes(file)) {
          expect(waitMs).toBe(60 * MINUTE)
        } else {
          expect(waitMs).toBe(MINUTE)
        }
      },
    )

    it("has no other job by a name that is gone", () => {
      expect(readdirSync(JOBS)).toEqual(expect.arrayContaining([...NIGHTLY, ...HOURLY]))
    })

    it("has every column of Medusa's own tables that our statements use", async () => {
      const svc = getContainer().resolve(SVC_MODULE)
      await svc.checkCoreTables()
      expect(svc.startProblems).toEqual([])
    })

    it("tells a monitor which column a newer Medusa took away, and what stands still without it", async () => {
      const svc = getContainer().resolve(SVC_MODULE)
      const knex = getContainer().resolve(ContainerRegistrationKeys.PG_CONNECTION)
      await knex.raw("ALTER TABLE order_cart RENAME COLUMN cart_id TO basket_id")
      try {
        await svc.checkCoreTables()
        const { data } = await api.get("/admin/svc/health", {
          ...(await adminHeaders(getContainer())),
          validateStatus: () => true,
        })
        expect(data.health.status).toBe("critical")
        expect(data.health.problems).toContainEqual({
          severity: "critical",
          connection_id: null,
          code: "core_table_changed",
          message: expect.stringMatching(/\(link\.cart_id\).*reporting orders to the service/),
          fix: expect.stringContaining("medusa-plugin-svc"),
          params: {
            missing: "link.cart_id",
            uses: expect.stringContaining("reporting orders to the service"),
          },
        })
      } finally {
        await knex.raw("ALTER TABLE order_cart RENAME COLUMN basket_id TO cart_id")
        await svc.checkCoreTables()
      }
      expect(svc.startProblems).toEqual([])
    })
  })

  describe("the links between our records and the store's", () => {
    const query = () => getContainer().resolve(ContainerRegistrationKeys.QUERY)
    const svc = () => getContainer().resolve(SVC_MODULE)

    async function productAtTwoConnections() {
      const product = await getContainer()
        .resolve(Modules.PRODUCT)
        .createProducts({ title: "Mug", status: "published" })
      for (const connection_id of ["svccon_dk", "svccon_de"]) {
        await svc().createSvcCatalogItems({
          connection_id,
          product_id: product.id,
          title: "Mug",
          state: "synced",
        })
      }
      return product
    }

    it("give a product its row of each connection, and the row its product", async () => {
      const product = await productAtTwoConnections()
      const { data: products } = await query().graph({
        entity: "product",
        fields: ["id", "svc_catalog_items.*"],
        filters: { id: product.id },
      })
      expect(products).toEqual([
        {
          id: product.id,
          svc_catalog_items: expect.arrayContaining([
            expect.objectContaining({ connection_id: "svccon_dk", state: "synced" }),
            expect.objectContaining({ connection_id: "svccon_de", state: "synced" }),
          ]),
        },
      ])
      // Medusa gives a list both names.
      const { data: same } = await query().graph({
        entity: "product",
        fields: ["svc_catalog_item.connection_id"],
        filters: { id: product.id },
      })
      expect(same[0]?.svc_catalog_item).toHaveLength(2)
      const { data: items } = await query().graph({
        entity: "svc_catalog_item",
        fields: ["connection_id", "product.title"],
        filters: { product_id: product.id },
      })
      expect(items).toHaveLength(2)
      for (const item of items) expect(item.product).toMatchObject({ title: "Mug" })
    })

    it("give a cart its order numbers and line prices, and an order its attributions", async () => {
      const container = getContainer()
      const cartModule = container.resolve(Modules.CART)
      const cart = await cartModule.createCarts({
        currency_code: "dkk",
        items: [
          { title: "Mug", quantity: 1, unit_price: 129 },
          { title: "Cup", quantity: 1, unit_price: 50 },
        ],
      })
      const [line] = await cartModule.listLineItems({ cart_id: cart.id, title: "Mug" })
      const order = await container
        .resolve(Modules.ORDER)
        .createOrders({ currency_code: "dkk", email: "shopper@example.com" })
      const common = { connection_id: "svccon_dk", campaign_uid: "show-1", order_no: "SVC-1" }
      await svc().createSvcCartOrderNumbers({ ...common, cart_id: cart.id, used_at: new Date() })
      await svc().createSvcLinePrices([
        {
          ...common,
          line_item_id: line?.id ?? "",
          cart_id: cart.id,
          product_id: "prod_1",
          variant_id: "variant_1",
          region_id: null,
          amount: 129,
          currency_code: "dkk",
          is_tax_inclusive: true,
          fetched_at: new Date(),
          expires_at: new Date(),
        },
      ])
      await svc().createSvcAttributions({
        connection_id: "svccon_dk",
        campaign_uid: "show-1",
        svc_order_no: "SVC-1",
        order_id: order.id,
        currency_code: "dkk",
        placed_at: new Date(),
      })

      const { data: carts } = await query().graph({
        entity: "cart",
        fields: [
          "id",
          "svc_cart_order_numbers.order_no",
          "items.title",
          "items.svc_line_price.amount",
        ],
        filters: { id: cart.id },
      })
      expect(carts).toMatchObject([
        { id: cart.id, svc_cart_order_numbers: [{ order_no: "SVC-1" }] },
      ])
      const lines: { title: string; svc_line_price?: { amount: number } }[] = carts[0]?.items ?? []
      expect(new Map(lines.map((line) => [line.title, line.svc_line_price?.amount]))).toEqual(
        new Map([
          ["Mug", 129],
          ["Cup", undefined],
        ]),
      )
      const { data: orders } = await query().graph({
        entity: "order",
        fields: ["id", "svc_attributions.svc_order_no"],
        filters: { id: order.id },
      })
      expect(orders).toMatchObject([
        { id: order.id, svc_attributions: [{ svc_order_no: "SVC-1" }] },
      ])

      const back = async (entity: string, field: string) =>
        (await query().graph({ entity, fields: ["id", field] })).data
      expect(await back("svc_cart_order_number", "cart.id")).toMatchObject([
        { cart: { id: cart.id } },
      ])
      expect(await back("svc_line_price", "line_item.title")).toMatchObject([
        { line_item: { title: "Mug" } },
      ])
      expect(await back("svc_attribution", "order.id")).toMatchObject([{ order: { id: order.id } }])
    })

    it("show shoppers nothing of it, whatever fields they ask for", async () => {
      await productAtTwoConnections()
      const container = getContainer()
      const key = await container.resolve(Modules.API_KEY).createApiKeys({
        type: "publishable",
        title: "Shop",
        created_by: "tests",
      })
      const { data } = await api.get(
        "/store/products?fields=id,*svc_catalog_items,svc_catalog_item.state",
        { headers: { "x-publishable-api-key": key.token }, validateStatus: () => true },
      )
      expect(JSON.stringify(data)).not.toContain("svc_catalog_item")
    })
  })
}, UNSEEDED)
