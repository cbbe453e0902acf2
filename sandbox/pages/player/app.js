/** What the player knows and does. The views read it and call it; it knows no element. */
import { createBasket } from "./basket.js"
import { createChat } from "./chat.js"
import { readCheckoutLink, withoutCheckout } from "./checkout-link.js"
import { createOrderNumber } from "./order-number.js"
import { createProgress } from "./progress.js"
import { createSdk, openReadyQueue } from "./sdk.js"
import { createService } from "./service.js"
import { chooseValue, hasVariants, priceOf, quantityToAdd } from "./variants.js"

/** @typedef {import("./service.js").Product} Product */
/** @typedef {import("./service.js").Show} Show */
/** @typedef {import("./basket.js").Line} Line */

/**
 * @typedef {object} Notice what an action came to, where it is not simply done
 * @property {"partial" | "failure"} tone
 * @property {string} title
 * @property {string} [text]
 * @property {{ name: string, text: string }[]} [items]
 * @property {{ label: string, run: () => void }} [action]
 */

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
    /** @type {Notice | null} */
    notice: null,
    /** The action that no handler is registered for. @type {string | null} */
    missing: null,
    /** Read out to those who do not see the page. */
    said: "",
    viewers: 0,
    hearts: 0,
    /** @type {null | { stage: "working" | "done", answer: any, items: any[] }} */
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

  const productOf = (externalId) =>
    state.show?.products.find((product) => product.external_id === externalId)

  /** The variant that "Add" means now; undefined for a product without variants. */
  function variantOf(product) {
    if (!hasVariants(product)) {
      return undefined
    }
    const id = state.chosen.get(product.external_id)
    return product.variants.find((one) => one.external_id === id) ?? product.variants[0]
  }

  /** A product as a shop named it back to us, for people. */
  function nameOf(product) {
    const id = product?.product_id ?? product?.productId ?? product?.external_id
    return productOf(id)?.name ?? product?.name ?? product?.sku ?? id ?? "A product"
  }

  const failedItems = (answer) =>
    (answer.failedProducts ?? []).map(({ product, errorMessage }) => ({
      name: nameOf(product),
      text: errorMessage || "The shop gave no reason.",
    }))

  /** @returns {Notice | null} */
  function noticeOf(answer, title) {
    if (answer.status === "PARTIAL") {
      return { tone: "partial", title, text: answer.message, items: failedItems(answer) }
    }
    if (answer.status === "FAILURE") {
      const items = failedItems(answer)
      const text = answer.message ?? (items.length === 0 ? "Please try again." : undefined)
      return { tone: "failure", title, text, items }
    }
    return null
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
    for (const product of show.products) {
      const old = before.products.find((one) => one.external_id === product.external_id)
      const flash = !old
        ? "new"
        : product.price < old.price
          ? "cheaper"
          : product.price > old.price
            ? "dearer"
            : null
      if (!flash) {
        continue
      }
      state.flashes.set(product.external_id, flash)
      setTimeout(() => {
        state.flashes.delete(product.external_id)
        onChange()
      }, FLASH_MS)
      if (flash === "new") {
        chat.say("Host", `New in the show: ${product.name}`, "host")
      } else if (flash === "cheaper") {
        chat.say("Host", `The price of the ${product.name} just dropped!`, "host")
      }
    }
    if (before.event.status !== "live" && show.event.status === "live") {
      chat.say("Host", "We are live. Welcome, everybody!", "host")
    }
  }

  async function runCheckout() {
    const items = link.products.map(({ productId, variantId, quantity }) => {
      const product = productOf(productId)
      const variant = product?.variants?.find((one) => one.external_id === variantId)
      const sku = variant?.sku ?? product?.sku
      return {
        name: product?.name ?? productId,
        image: product?.image ?? null,
        quantity,
        payload: {
          product_id: productId,
          ...(variantId && { variant_id: variantId }),
          ...(sku && { sku }),
          quantity,
        },
      }
    })
    progress.start()
    change({ checkout: { stage: "working", answer: null, items }, said: "Filling your basket" })
    const { page_uid, campaign_uid } = state.show.event
    let answer
    try {
      if (items.length === 0) {
        answer = { status: "FAILURE", message: "This link names no product. Ask for a new one." }
      } else {
        answer = await perform("SOME_CHECKOUT", {
          campaignUid: campaign_uid,
          pageUid: page_uid,
          orderNo: await orderNumber.get(),
          products: items.map(({ payload }) => payload),
          ...(link.clearCart && { clear_cart: true }),
          ...(link.redirectUrl && { redirect_url: link.redirectUrl }),
        })
      }
    } catch (error) {
      console.error("svc player: the order number could not be had.", error)
      answer = { status: "FAILURE", message: "The show cannot be reached. Please try again." }
    }
    progress.finish()
    // A link that failed stays in the address, so that a reload tries again.
    if (answer.status === "SUCCESS" || answer.status === "PARTIAL") {
      history.replaceState(history.state, "", withoutCheckout(location.href))
      basket.refresh()
    }
    change({ checkout: { stage: "done", answer, items }, said: checkoutSentence(answer) })
  }

  function refuseLink() {
    const message =
      state.phase === "offline"
        ? "The show cannot be reached. Please try again in a moment."
        : "The show of this link is over, and its prices with it."
    const answer = { status: "FAILURE", message }
    change({ checkout: { stage: "done", answer, items: [] }, said: message })
  }

  const checkoutSentence = (answer) =>
    ({
      SUCCESS: "Your basket is ready.",
      PARTIAL: "Some products are in your basket, some are not.",
      FAILURE: "Your basket could not be filled.",
      UNREGISTERED: "This shop cannot take the link yet.",
    })[answer.status]

  return {
    state,
    progress,
    chat,
    basket: () => basket,
    productOf,
    variantOf,
    failedItems,

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
        state.show ? await runCheckout() : refuseLink()
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
      state.chosen.set(product.external_id, variant?.external_id)
      onChange()
    },

    priceNow: (product) => priceOf(product, variantOf(product)),

    /** @param {Product} product */
    async add(product) {
      const id = product.external_id
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
        ),
        said: answer.status === "SUCCESS" ? `${product.name} is in your basket` : state.said,
      })
    },

    /** @param {Line} line */
    async setQuantity(line, quantity) {
      state.notice = null
      const answer = await basket.setQuantity(line, quantity)
      change({
        notice: noticeOf(answer, `${line.name} could not be changed as asked`),
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
      const reopen = state.open && !startOpen
      if (isRegistered("OPEN_CART")) {
        change({ open: startOpen, basketOpen: false, checkout: null })
      }
      const orderNo = orderNumber?.peek()
      const answer = await perform("OPEN_CART", orderNo ? { orderNo } : {})
      const notice = noticeOf(answer, "The shop's basket could not be opened")
      if (notice) {
        change({ open: reopen || startOpen, notice })
      }
    },

    retryCheckout: runCheckout,
    closeCheckout: () => change({ checkout: null }),
  }
}
