/** Which market the visitor shops in. */
import type { Market, StorefrontConfig } from "../config"
import { createState } from "./state"

export const config = JSON.parse(
  document.querySelector<HTMLMetaElement>("meta[name=shop-config]")?.content ?? "{}",
) as StorefrontConfig

const KEY = "market"

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function remember(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // Private windows refuse storage; the choice then lasts for this page.
  }
}

/** The one chosen before, else the shop's first. */
function first(): Market {
  const wanted = remembered()
  const market = config.markets.find(({ id }) => id === wanted) ?? config.markets[0]
  if (!market) throw new Error("The shop was started without a market")
  return market
}

export const market = createState<Market>(first())

export function chooseMarket(id: string): void {
  const chosen = config.markets.find((candidate) => candidate.id === id)
  if (chosen) {
    remember(id)
    market.set(chosen)
  }
}
