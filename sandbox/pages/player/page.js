/**
 * The player as a page of its own, `/player?page_uid=&campaign_uid=`: to look at a show without a
 * storefront, also on a phone. Its basket is the practice shop's.
 */
import { openPracticeShop } from "./practice-shop.js"

const query = new URLSearchParams(location.search)
openPracticeShop(query)

const script = document.createElement("script")
script.src = "/player.js"
script.dataset.layout = "page"
for (const [param, name] of [
  ["page_uid", "pageUid"],
  ["campaign_uid", "campaignUid"],
]) {
  const value = query.get(param)
  if (value) {
    script.dataset[name] = value
  }
}
// Where no page is named, the one that every sandbox starts with.
script.dataset.pageUid ??= "demo-page"
document.body.append(script)
