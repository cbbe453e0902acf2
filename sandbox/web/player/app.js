/** What the player knows and does. The views read it and call it; it knows no element. */
import { failedOf, noticeOf } from "./answers.js"
import { createBasket } from "./basket.js"
import { createChat } from "./chat.js"
import { readCheckoutLink } from "./checkout-link.js"
import { createOrderNumber } from "./order-number.js"
import { createProgress } from "./progress.js"
import { createSdk, openReadyQueue } from "./sdk.js"
import { createService } from "./service.js"
import { announcement, changedProducts } from "./show-changes.js"
import { fireCheckout, itemsOf, refusal, sentenceOf } from "./social-checkout.js"
import { chooseValue, hasVariants, priceOf, quantityToAdd } from "./variants.js"

/** @typedef {import("./service.js").Product} Product */
/** @typedef {import("./service.js").Show} Show */
/** @typedef {import("./basket.js").Line} Line */

/** A shop's script may come after the player's; a link's products must not be lost over it. */
const PATIENCE_MS = { SOME_CHECKOUT: 10_000, other: 3000 }

/** How long a card says "Added", and how long a changed price stands out. */
const ADDED_MS = 1400
const FLASH_MS = 4000

/** How long to wait before asking again where the service could not be reached. */
const RETRY_MS = 10_000

/**
 * @param {object} options
 * @param {string} options.base
 * @param {string} [options.pageUid]
 * @param {string} [options.campaignUid]
 * @param {boolean} options.startOpen
 * @param {() => void} options.onChange draw again
 */
export function createApp({ base, pageUid, campaignUid, startOpen, onChange }) {
  const service = createService(base)
  const link = readCheckoutLink(location.href)
  const registrations = new EventTarget()

  const state = {
    open: startOpen,
    /** @type {"loading" | "none" | "offline" | "ready"} */
    phase: "loading",
    /** @type {Show | null} */
    show: null,
    /** Phones show the basket as a sheet over the show. */
    basketOpen: false,
    /** The chosen variant per product. @type {Map<string, any>} */
    chosen: new Map(),
    /** @type {Map<string, "adding" | "added">} */
    cards: new Map(),
    /** @type {Map<string, "cheaper" | "dearer" | "new">} */
    flashes: new Map(),
    /** @type {import("./answers.js").Notice | null} */
    notice: null,
    /** The action that no handler is registered for. @type {string | null} */
    missing: null,
    /** Read out to those who do not see the page. */
    said: "",
    viewers: 0,
    hearts: 0,
    /** @type {import("./social-checkout.js").Checkout | null} */
    checkout: null,
  }

  const change = (patch) => {
    Object.assign(state, patch)
    onChange()
  }

  const { sdk, run, isRegistered } = createSdk({
    onRegister: (action) => {
      registrations.dispatchEvent(new Event(action))
      if (state.missing === action) {
        change({ missing: null })
      }
      if (action === "GET_CART_CONTENTS") {
        basket?.refresh()
      }
    },
    onPlan: (plan) => progress.plan(plan),
    onProgress: (at) => progress.set(at),
  })

  const progress = createProgress({ onChange })
  const chat = createChat({ onChange })
  /** @type {ReturnType<typeof createBasket> | null} */
  let basket = null
  let orderNumber = null
  /** Questions for the show so far. */
  let asked = 0

  const registered = (action, ms) =>
    new Promise((resolve) => {
      if (isRegistered(action)) {
        resolve(true)
        return
      }
      const timer = setTimeout(() => resolve(false), ms)
      registrations.addEventListener(
        action,
        () => {
          clearTimeout(timer)
          resolve(true)
        },
        { once: true },
      )
    })

  /** Runs an action, giving a shop that is still loading the time to register it. */
  async function perform(action, payload) {
    await registered(action, PATIENCE_MS[action] ?? PATIENCE_MS.other)
    const answer = await run(action, payload)
    if (answer.status === "UNREGISTERED") {
      console.warn(
        `svc player: this page has registered no handler for ${action}. ` +
          `Register one: (window.onSvcReady = window.onSvcReady || []).push((sdk) => ` +
          `sdk.registerAction(sdk.actions.${action}, async (payload) => ({ status: sdk.actionStatuses.SUCCESS })))`,
      )
      change({ missing: action })
    }
    return answer
  }

  /** The show may have single variants of a product as products of their own. */
  function productOf(externalId, variantId) {
    const all = state.show?.products.filter((one) => one.external_id === externalId) ?? []
    return all.find((one) => one.variants?.some((v) => v.external_id === variantId)) ?? all[0]
  }

  /** The variant that "Add" means now; undefined for a product without variants. */
  function variantOf(product) {
    if (!hasVariants(product)) {
      return undefined
    }
    const id = state.chosen.get(product.uid)
    return product.variants.find((one) => one.external_id === id) ?? product.variants[0]
  }

  /** A product as a shop named it back to us, for people. */
  function nameOf(product) {
    const id = product?.product_id ?? product?.productId ?? product?.external_id
    const variantId = product?.variant_id ?? product?.variantId
    return productOf(id, variantId)?.name ?? product?.name ?? product?.sku ?? id ?? "A product"
  }

  const pinned = link?.campaignUid ?? campaignUid

  /**
   * The show of the link or of the script tag; else the one that was entered, to its end; else, or
   * once that is over, the one that is running.
   */
  async function findShow() {
    const entered = pinned ?? state.show?.event.campaign_uid
    const show = entered && (await service.loadShow({ pageUid, campaignUid: entered }))
    if (pinned || show?.event.status === "live") {
      return show
    }
    return (await service.loadShow({ pageUid })) ?? show
  }

  async function loadShow() {
    const question = ++asked
    const before = state.show
    try {
      const show = await findShow()
      // Overtaken: the show changed again, and a later question knows better.
      if (question !== asked) {
        return
      }
      if (show && before?.event.campaign_uid === show.event.campaign_uid) {
        noteChanges(before, show)
      } else if (show) {
        enterShow(show)
      } else if (state.phase !== "none") {
        console.info("svc player: no show is running. The player appears when one is.")
      }
      change({ phase: show ? "ready" : "none", show: show || null })
    } catch (error) {
      console.error("svc player: the show could not be loaded.", error)
      change({ phase: state.show ? "ready" : "offline" })
      setTimeout(loadShow, RETRY_MS)
    }
    const live = state.show?.event.status === "live"
    live ? chat.start(() => state.show?.products ?? []) : chat.stop()
  }

  function enterShow({ event }) {
    const ids = { pageUid: event.page_uid, campaignUid: event.campaign_uid }
    orderNumber = createOrderNumber({ ...ids, issue: () => service.issueOrderNumber(ids) })
    basket = createBasket({
      ...ids,
      // Looking at the basket neither waits for its handler nor complains of it: `open` does.
      run: (action, payload) =>
        action === "GET_CART_CONTENTS" ? run(action, payload) : perform(action, payload),
      orderNumber,
      productOf,
      onChange,
    })
    state.viewers = 180 + ((event.campaign_uid.charCodeAt(0) * 37) % 400)
    if (isRegistered("GET_CART_CONTENTS")) {
      basket.refresh()
    }
  }

  /** Makes what just changed in the show stand out, and lets the host say it. */
  function noteChanges(before, show) {
    for (const changed of changedProducts(before, show)) {
      const { uid } = changed.product
      state.flashes.set(uid, changed.kind)
      setTimeout(() => {
        state.flashes.delete(uid)
        onChange()
      }, FLASH_MS)
      const text = announcement(changed)
      text && chat.say("Host", text, "host")
    }
    if (before.event.status !== "live" && show.event.status === "live") {
      chat.say("Host", "We are live. Welcome, everybody!", "host")
    }
  }

  async function followLink() {
    if (!state.show) {
      endCheckout(refusal(state.phase), [])
      return
    }
    const items = itemsOf(link, productOf)
    progress.start()
    change({ checkout: { stage: "working", answer: null, items }, said: "Filling your basket" })
    const { event } = state.show
    const answer = await fireCheckout({
      link,
      items,
      event,
      orderNumber: orderNumber.get,
      perform,
    })
    progress.finish()
    basket.refresh()
    endCheckout(answer, items)
  }

  const endCheckout = (answer, items) =>
    change({ checkout: { stage: "done", answer, items }, said: sentenceOf(answer) })

  return {
    state,
    progress,
    chat,
    basket: () => basket,
    productOf,
    variantOf,
    failedItems: (answer) => failedOf(answer, nameOf),

    async start() {
      openReadyQueue(sdk)
      addEventListener("focus", () => state.open && basket?.refresh())
      setInterval(() => {
        if (state.open && state.show?.event.status === "live") {
          state.viewers = Math.max(24, state.viewers + Math.round((Math.random() - 0.45) * 9))
          onChange()
        }
      }, 2500)
      service.followShows(pinned ?? null, loadShow)
      await loadShow()
      if (link) {
        await followLink()
      }
    },

    open() {
      change({ open: true, checkout: null })
      basket?.refresh()
      registered("GET_CART_CONTENTS", PATIENCE_MS.other).then((is) => {
        is || change({ missing: state.missing ?? "GET_CART_CONTENTS" })
      })
    },

    close: () => change({ open: false, basketOpen: false, notice: null }),

    toggleBasket: () => change({ basketOpen: !state.basketOpen }),

    dismissNotice: () => change({ notice: null }),

    like: () => change({ hearts: state.hearts + 1 }),

    /** What the shopper writes stays on this page: there is nobody on the other side. */
    say: (text) => text.trim() && chat.say("You", text.trim(), "you"),

    choose(product, position, value) {
      const variant = chooseValue(product, variantOf(product), position, value)
      state.chosen.set(product.uid, variant?.external_id)
      onChange()
    },

    priceNow: (product) => priceOf(product, variantOf(product)),

    /** @param {Product} product */
    async add(product) {
      const id = product.uid
      state.cards.set(id, "adding")
      change({ notice: null, said: `Adding ${product.name}` })
      const answer = await basket.add(product, variantOf(product), quantityToAdd(product))
      state.cards.delete(id)
      if (answer.status === "SUCCESS") {
        state.cards.set(id, "added")
        setTimeout(() => {
          state.cards.get(id) === "added" && state.cards.delete(id)
          onChange()
        }, ADDED_MS)
      }
      change({
        notice: noticeOf(
          answer,
          answer.status === "PARTIAL" ? "Added, with a change" : `${product.name} was not added`,
          nameOf,
        ),
        said: answer.status === "SUCCESS" ? `${product.name} is in your basket` : state.said,
      })
    },

    /** @param {Line} line */
    async setQuantity(line, quantity) {
      state.notice = null
      const answer = await basket.setQuantity(line, quantity)
      change({
        notice: noticeOf(answer, `${line.name} could not be changed as asked`, nameOf),
        said:
          answer.status !== "SUCCESS"
            ? state.said
            : quantity === 0
              ? `${line.name} removed`
              : `${line.name}: ${quantity}`,
      })
    },

    /** The shop's own basket takes over: the player steps aside, and comes back if that fails. */
    async openCart() {
      if (isRegistered("OPEN_CART")) {
        change({ open: startOpen, basketOpen: false, checkout: null })
      }
      const orderNo = orderNumber?.peek()
      const answer = await perform("OPEN_CART", orderNo ? { orderNo } : {})
      if (answer.status !== "SUCCESS") {
        const notice = noticeOf(answer, "The shop's basket could not be opened", nameOf)
        change({ open: true, checkout: null, notice })
      }
    },

    retryCheckout: followLink,
    closeCheckout: () => change({ checkout: null }),
  }
}
