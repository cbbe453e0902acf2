/**
 * The player as a page of its own, `/player?page_uid=&campaign_uid=`: to look at a show without a
 * storefront, also on a phone. Its basket is the practice shop's.
 */
import { openPracticeShop } from "./practice-shop.js"

const query = new URLSearchParams(location.search)
// Where neither is named, the page that every sandbox starts with.
if (!query.has("campaign_uid") && !query.has("page_uid")) {
  query.set("page_uid", "demo-page")
}
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
document.body.append(script)
