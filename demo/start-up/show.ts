/** A show, so that a person sees one at once: live, with six products below their price. */
import { PAGE } from "./connect"
import { control, type StoreApi } from "./store-api"

const SHOW = {
  name: "An evening with clay and wool",
  name_short: "Clay and wool",
  description: "Mette opens the kiln and Anders knits on. Six things at the price of the evening.",
}

/** Handle and price of the show in DKK, VAT included; a number each for a product's variants. */
const OFFERS: { handle: string; price: number; byVariant?: Record<string, number> }[] = [
  { handle: "havn-mug", price: 149 },
  { handle: "vester-sweater", price: 899 },
  { handle: "lyng-bowl", price: 99, byVariant: { S: 99, M: 139, L: 199 } },
  { handle: "fyr-table-lamp", price: 749 },
  { handle: "birk-bud-vase", price: 99 },
  { handle: "varm-throw", price: 649 },
]

type Product = { id: string; handle: string; variants: { id: string; title: string }[] }

/** What the sandbox knows of shows: none yet, one that runs, or some that do not. */
export async function showState(sandboxUrl: string): Promise<"none" | "running" | "over"> {
  const { events } = await control<{ events: { status: string }[] }>(
    sandboxUrl,
    `/events?page_uid=${PAGE.uid}&deleted=true`,
  )
  if (events.length === 0) return "none"
  return events.some(({ status }) => status === "live") ? "running" : "over"
}

export type Show = { id: string; campaign_uid: string }

/** Makes the show and puts its products in. */
export async function planShow(store: StoreApi, sandboxUrl: string): Promise<Show> {
  const handles = OFFERS.map(({ handle }) => `handle[]=${handle}`).join("&")
  const { products } = await store.get<{ products: Product[] }>(
    `/admin/products?${handles}&fields=id,handle,variants.id,variants.title&limit=100`,
  )
  const { event } = await control<{ event: Show }>(sandboxUrl, "/events", {
    page_uid: PAGE.uid,
    kind: "live",
    is_published: true,
    starts_at: Date.now(),
    ...SHOW,
  })
  for (const offer of OFFERS) {
    const product = products.find(({ handle }) => handle === offer.handle)
    if (!product) continue
    await control(sandboxUrl, `/events/${event.id}/products`, {
      external_id: product.id,
      price: offer.price,
      ...(offer.byVariant
        ? {
            variants: product.variants.map(({ id, title }) => ({
              external_id: id,
              price: offer.byVariant?.[title.split(" / ").at(-1) ?? ""] ?? offer.price,
            })),
          }
        : {}),
    })
  }
  return event
}

export async function startShow(store: StoreApi, sandboxUrl: string): Promise<void> {
  const { id } = await planShow(store, sandboxUrl)
  await control(sandboxUrl, `/events/${id}/start`, {})
}
