import { ENV } from "../../../storefront/next/steps"
import { playerSnippets } from "../lib/player-snippet"

const VALUES = {
  pageUid: "page-7",
  storeUrl: "https://store.test",
  publishableKey: "pk_7",
  regionId: "reg_7",
  salesChannelId: "sc_7",
}

it("has this store's values for each kind of storefront", () => {
  for (const { code } of playerSnippets(VALUES)) {
    for (const value of ["page-7", "https://store.test", "pk_7"]) expect(code).toContain(value)
  }
})

it("makes baskets in the connection's sales channel, for a key that has several", () => {
  for (const { code } of playerSnippets(VALUES).slice(1)) {
    expect(code).toContain('rememberCart({ ...store, regionId: "reg_7", cart: () =>')
    expect(code).toContain('sales_channel_id: "sc_7"')
  }
})

it("says all that the command for the Next.js starter asks for", () => {
  const [next] = playerSnippets(VALUES)
  for (const { option } of ENV) expect(next?.code).toContain(` --${option} `)
})
