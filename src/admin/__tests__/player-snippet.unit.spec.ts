import { ENV } from "../../../storefront/next/steps"
import { playerSnippets } from "../lib/player-snippet"

const VALUES = {
  pageUid: "page-7",
  storeUrl: "https://store.test",
  publishableKey: "pk_7",
  regionId: "reg_7",
}

it("has this store's values for each kind of storefront", () => {
  for (const { code } of playerSnippets(VALUES)) {
    for (const value of ["page-7", "https://store.test", "pk_7"]) expect(code).toContain(value)
  }
})

it("says all that the command for the Next.js starter asks for", () => {
  const [next] = playerSnippets(VALUES)
  for (const { option } of ENV) expect(next?.code).toContain(` --${option} `)
})
