/**
 * The script a storefront includes:
 *
 *   <script src="http://127.0.0.1:9400/player.js" data-page-uid="demo-page" async></script>
 *
 * `data-campaign-uid` picks a show; without it the page's running show is taken. This file only
 * loads the player's modules; whatever fails in there is told in the console and leaves the
 * shop's page as it was.
 */
;(() => {
  const script = document.currentScript
  const already = Symbol.for("svc.player")
  if (!script || window[already]) {
    return
  }
  window[already] = true
  const base = new URL(".", script.src).href
  import(new URL("player/main.js", base).href)
    .then(({ start }) => start({ base, ...script.dataset }))
    .catch((error) => {
      window[already] = false
      console.error(`svc player: could not start from ${base}.`, error)
    })
})()
