type SnippetValues = {
  pageUid: string
  storeUrl: string
  publishableKey: string
  regionId: string
}

/**
 * What a storefront without a bundler puts on each page, with this store's values (docs/storefront.md). Where the player's
 * script lies is the service's to say, so that one address stays to be filled in.
 */
export const playerSnippet = ({ pageUid, storeUrl, publishableKey, regionId }: SnippetValues) =>
  `<!-- The player. Its address is in the service's settings. -->
<script src="https://player.example.com/player.js" data-page-uid="${pageUid}" async></script>
<!-- A file of this plugin's npm package, to be served by your site:
     node_modules/medusa-plugin-svc/.medusa/server/storefront/svc-storefront.js -->
<script src="/svc/svc-storefront.js"></script>
<script>
  const { connectPlayer, rememberCart } = window.SvcStorefront
  const store = { baseUrl: "${storeUrl}", publishableKey: "${publishableKey}" }
  const cart = rememberCart({ ...store, regionId: "${regionId}" })
  connectPlayer({ ...store, getCartId: cart.getCartId, cartUrl: "/cart" })
</script>`
