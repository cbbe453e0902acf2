/** Where a shopper's basket is made. */
type Basket = { regionId: string; salesChannelId: string }
type SnippetValues = Basket & { pageUid: string; storeUrl: string; publishableKey: string }

type Snippet = { label: string; language: string; code: string }

/** Where the player's script lies is the service's to say, so that one address stays to be filled in. */
const PLAYER = "https://player.example.com/player.js"

/** What each kind of storefront needs, with this store's values (docs/storefront.md, docs/nextjs.md). The first is shown first. */
export const playerSnippets = (values: SnippetValues): Snippet[] => [
  { label: "Next.js starter", language: "bash", code: nextJs(values) },
  { label: "HTML", language: "html", code: html(values) },
  { label: "React", language: "tsx", code: react(values) },
]

/** A basket of the browser's own beside the starter's would be a second one: see docs/nextjs.md. */
const nextJs = ({ pageUid, storeUrl, publishableKey }: SnippetValues) =>
  `# In the storefront's folder, once svc-storefront is installed there (docs/nextjs.md).
# The address of the player is in the service's settings. Without --apply it only shows what it would change.
npx --no-install svc-storefront add next --store ${storeUrl} --player ${PLAYER} --page ${pageUid} --apply

# .env.local
NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY=${publishableKey}`

/** With a key that has several sales channels Medusa makes no basket that names none. */
const remembered = ({ regionId, salesChannelId }: Basket) =>
  `rememberCart({ ...store, regionId: "${regionId}", cart: () => ({ sales_channel_id: "${salesChannelId}" }) })`

const html = ({ pageUid, storeUrl, publishableKey, ...basket }: SnippetValues) =>
  `<!-- The player. Its address is in the service's settings. -->
<script src="${PLAYER}" data-page-uid="${pageUid}" async></script>
<!-- A file of this plugin's npm package, to be served by your site:
     node_modules/medusa-plugin-svc/.medusa/server/storefront/svc-storefront.js -->
<script src="/svc/svc-storefront.js"></script>
<script>
  const { connectPlayer, rememberCart } = window.SvcStorefront
  const store = { baseUrl: "${storeUrl}", publishableKey: "${publishableKey}" }
  const cart = ${remembered(basket)}
  connectPlayer({ ...store, getCartId: cart.getCartId, cartUrl: "/cart" })
</script>`

const react = ({ pageUid, storeUrl, publishableKey, ...basket }: SnippetValues) =>
  `// In the page's HTML, because React runs no script that it draws in the browser:
// <script src="${PLAYER}" data-page-uid="${pageUid}" async></script>
// In a component that stays while the shopper moves about, such as the layout.
// A shop with a basket of its own gives that one's id instead of rememberCart's.
import { rememberCart } from "svc-storefront"
import { useSvcPlayer } from "svc-storefront/react"

const store = { baseUrl: "${storeUrl}", publishableKey: "${publishableKey}" }
const cart = ${remembered(basket)}

export function LivePlayer() {
  useSvcPlayer({ ...store, getCartId: cart.getCartId, cartUrl: "/cart" })
  return null
}`
