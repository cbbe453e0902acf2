/**
 * The player as a page of its own, `/player?page_uid=&campaign_uid=`: to look at a show without a
 * storefront, also on a phone. It has no shop, so nothing can be put into a basket.
 */

const query = new URLSearchParams(location.search)
// Where neither is named, the page that every sandbox starts with.
if (!query.has("campaign_uid") && !query.has("page_uid")) query.set("page_uid", "demo-page")

const script = document.createElement("script")
script.src = "/player.js"
script.dataset.layout = "page"
const pageUid = query.get("page_uid")
const campaignUid = query.get("campaign_uid")
if (pageUid) script.dataset.pageUid = pageUid
if (campaignUid) script.dataset.campaignUid = campaignUid
document.body.append(script)
