/** What the player knows and does. The views read it and call it; it knows no element. */

import { readCheckoutLink } from "../shared/checkout-link"
import { failedOf, type Notice, noticeOf, saysSoldOut, UNREACHABLE } from "./answers"
import { type Cart, createCart, type Line } from "./cart"
import { createChat, viewersAtStart, viewersNext } from "./made-up"
import { createOrderNumber, type OrderNumber } from "./order-number"
import { createProgress } from "./progress"
import {
  type Action,
  type Answer,
  createSdk,
  type NamedProduct,
  openReadyQueue,
  type Payload,
  type Spot,
} from "./sdk"
import { createService, type Product, type Show, type Variant } from "./service"
import { announcement, changedProducts, type Flash } from "./show-changes"
import { type Checkout, fireCheckout, itemsOf, SHOW_IS_OVER } from "./social-checkout"
import { chooseValue, priceOf, quantityToAdd } from "./variants"

/** A shop's script may come after the player's; a link's products must not be lost over it. */
const PATIENCE_MS = { checkout: 10_000, other: 3000 }
/** How long a card says "Added", and how long a changed price stands out. */
const ADDED_MS = 1400
const FLASH_MS = 4000
/** How long to wait before asking again where the service could not be reached. */
const RETRY_MS = 10_000
const VIEWERS_MS = 2500
/** So long after a deadline nobody doubts that it has passed. */
const AFTER_DEADLINE_MS = 250
/** Browsers fire a timer at once that is set for longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1_000

const SENTENCES = {
  SUCCESS: "Your basket is ready.",
  PARTIAL: "Some products are in your basket, some are not.",
  FAILURE: "Your basket could not be filled.",
  UNREGISTERED: "This shop cannot take the link yet.",
}

type Options = {
  /** The service's address, with a slash at its end. */
  base: string
  pageUid?: string | undefined
  campaignUid?: string | undefined
  /** The player is the page, always open. */
  isPage: boolean
}
export type Player = ReturnType<typeof createPlayer>

/** @param draw  draws what the player is now */
export function createPlayer({ base, pageUid, campaignUid, isPage }: Options, draw: () => void) {
  const service = createService(base)
  const link = readCheckoutLink(location.href)
  /** The show of the link or of the script tag, whatever its status. */
  const pinned = link?.campaignUid ?? campaignUid
  const registrations = new EventTarget()

  const state = {
    open: isPage,
    phase: "loading" as "loading" | "none" | "offline" | "ready",
    show: null as Show | null,
    /** Phones show the cart as a sheet over the show. */
    cartOpen: false,
    /** The chosen variant's id by product. */
    chosen: new Map<string, string | undefined>(),
    cards: new Map<string, "adding" | "added">(),
    flashes: new Map<string, Flash>(),
    /** What the shop has called sold out since its product changed in the show: ids of variants, by product. */
    soldOut: new Map<string, Set<string | undefined>>(),
    /** The product that the shop opened the player at, until it is closed. */
    pointedAt: null as string | null,
    notice: null as Notice | null,
    /** The action that no handler is registered for. */
    missing: null as Action | null,
    /** Read out to those who do not see the page. */
    said: "",
    viewers: 0,
    hearts: 0,
    checkout: null as Checkout | null,
  }
  let cart: Cart | null = null
  let orderNumber: OrderNumber | null = null
  /** Questions for the show so far. */
  let asked = 0
  /** One timer at most for the next question: at the deadline, or again after the service could not be reached. */
  let planned: ReturnType<typeof setTimeout> | undefined

  const change = (patch: Partial<typeof state>) => {
    Object.assign(state, patch)
    draw()
  }
  const progress = createProgress(draw)
  const chat = createChat(draw)
  const { sdk, run, isRegistered } = createSdk({
    onOpen: openAt,
    onRegister(action) {
      registrations.dispatchEvent(new Event(action))
      if (state.missing === action) change({ missing: null })
      if (action === "GET_CART_CONTENTS") cart?.refresh()
    },
    onPlan: progress.plan,
    onProgress: progress.set,
  })

  function registered(action: Action, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (isRegistered(action)) return resolve(true)
      const timer = setTimeout(() => resolve(false), ms)
      const stop = () => {
        clearTimeout(timer)
        resolve(true)
      }
      registrations.addEventListener(action, stop, { once: true })
    })
  }

  /** Runs an action, giving a shop that is still loading the time to register it. */
  async function perform(action: Action, payload: Payload): Promise<Answer> {
    await registered(action, PATIENCE_MS[action === "SOME_CHECKOUT" ? "checkout" : "other"])
    const answer = await run(action, payload)
    if (answer.status === "UNREGISTERED") {
      console.warn(
        `svc player: this page has registered no handler for ${action}. Register one: (window.onSvcReady = window.onSvcReady || []).push((sdk) => sdk.registerAction(sdk.actions.${action}, async (payload) => ({ status: sdk.actionStatuses.SUCCESS })))`,
      )
      change({ missing: action })
    }
    return answer
  }

  /** The show may have single variants of a product as products of their own. */
  function productOf(externalId?: string, variantId?: string | null): Product | undefined {
    const all = state.show?.products.filter((one) => one.external_id === externalId) ?? []
    return all.find((one) => one.variants.some((v) => v.external_id === variantId)) ?? all[0]
  }

  /** The variant that "Add" means now; undefined for a product without variants. */
  function variantOf({ uid, variants }: Product): Variant | undefined {
    const id = state.chosen.get(uid)
    return variants.find(({ external_id }) => external_id === id) ?? variants[0]
  }

  /** A product as a shop named it back to us, for people. */
  function nameOf(product: NamedProduct = {}): string {
    const id = product.product_id ?? product.productId ?? product.external_id
    const known = productOf(id, product.variant_id ?? product.variantId)
    return known?.name ?? product.name ?? product.sku ?? id ?? "A product"
  }

  /**
   * The pinned show; else the one that was entered, to its end; else, or once that is over, the one
   * that is running.
   */
  async function findShow(): Promise<Show | null> {
    const entered = pinned ?? state.show?.event.campaign_uid
    const show = entered ? await service.loadShow({ pageUid, campaignUid: entered }) : null
    if (pinned || show?.event.status === "live") return show
    return (await service.loadShow({ pageUid })) ?? show
  }

  async function loadShow(): Promise<void> {
    const question = ++asked
    const before = state.show
    try {
      const show = await findShow()
      // The show changed again meanwhile, and a later question has the newer answer.
      if (question !== asked) return
      if (show && before?.event.campaign_uid === show.event.campaign_uid) noteChanges(before, show)
      else if (show) enterShow(show)
      else if (state.phase !== "none") {
        console.info("svc player: no show is running. The player appears when one is.")
      }
      change({ phase: show ? "ready" : "none", show })
      waitForTheDeadline()
    } catch (error) {
      console.error("svc player: the show could not be loaded.", error)
      if (question !== asked) return
      change({ phase: state.show ? "ready" : "offline" })
      plan(RETRY_MS, loadShow)
    }
    if (state.show?.event.status === "live") chat.start(() => state.show?.products ?? [])
    else chat.stop()
  }

  function plan(ms: number, ask: () => Promise<void>): void {
    clearTimeout(planned)
    planned = setTimeout(ask, ms)
  }

  /** A deadline passes without an event: the show is looked at again then, and what the shop now charges. */
  function waitForTheDeadline(): void {
    clearTimeout(planned)
    const left = state.show?.event.closes_in_ms
    if (!left || left > LONGEST_TIMER_MS) return
    plan(left + AFTER_DEADLINE_MS, async () => {
      await loadShow()
      cart?.refresh()
    })
  }

  function enterShow({ event }: Show): void {
    const ids = { pageUid: event.page_uid, campaignUid: event.campaign_uid }
    orderNumber = createOrderNumber({ ...ids, issue: () => service.issueOrderNumber(ids) })
    cart = createCart({
      ...ids,
      // Looking at the cart neither waits for its handler nor complains of it: `open` does.
      run: (action, payload) =>
        action === "GET_CART_CONTENTS" ? run(action, payload) : perform(action, payload),
      orderNumber,
      productOf,
      onChange: draw,
    })
    state.viewers = viewersAtStart(event.campaign_uid)
    if (isRegistered("GET_CART_CONTENTS")) cart.refresh()
  }

  /** Makes what just changed in the show stand out, and lets the host say it. */
  function noteChanges(before: Show, show: Show): void {
    for (const { product, flash } of changedProducts(before, show)) {
      state.soldOut.delete(product.uid)
      state.flashes.set(product.uid, flash)
      setTimeout(() => {
        state.flashes.delete(product.uid)
        draw()
      }, FLASH_MS)
      const text = announcement(product, flash)
      if (text) chat.say("Host", text, "host")
    }
    if (before.event.status !== "live" && show.event.status === "live") {
      chat.say("Host", "We are live. Welcome, everybody!", "host")
    }
  }

  async function followLink(): Promise<void> {
    if (!link) return
    const { show } = state
    const items = show ? itemsOf(link, productOf) : []
    let answer = state.phase === "offline" ? UNREACHABLE : SHOW_IS_OVER
    if (show && orderNumber) {
      progress.start()
      change({ checkout: { answer: null, items }, said: "Filling your basket" })
      const { get, peek } = orderNumber
      // The basket of the number in hand may be ordered by now: then this one gets another.
      if (peek() && (await registered("SOME_CHECKOUT", PATIENCE_MS.checkout))) await cart?.refresh()
      answer = await fireCheckout({ link, items, event: show.event, orderNumber: get, perform })
      progress.finish()
      // The shop may lead on to another page before the basket is read.
      if (answer.status !== "FAILURE") orderNumber.sawCart({ lines: 1, emptiedHere: false })
      cart?.refresh()
    }
    change({ checkout: { answer, items }, said: SENTENCES[answer.status] })
  }

  /** What the shop's answer to a change of the cart looks like to the shopper. */
  function show(answer: Answer, title: string, said: string): void {
    const notice = noticeOf(answer, title, nameOf)
    change({ notice, ...(answer.status === "SUCCESS" && { said }) })
  }

  async function open(): Promise<void> {
    change({ open: true, checkout: null })
    cart?.refresh()
    const shown = await registered("GET_CART_CONTENTS", PATIENCE_MS.other)
    if (!shown) change({ missing: state.missing ?? "GET_CART_CONTENTS" })
  }

  /** As the shop asks for it: a product that the show does not have opens the show all the same. */
  function openAt(spot: Spot = {}): void {
    const product = spot.product_id ? productOf(spot.product_id, spot.variant_id) : undefined
    if (product && spot.variant_id) state.chosen.set(product.uid, spot.variant_id)
    state.pointedAt = product?.uid ?? null
    void open()
  }

  return {
    base,
    isPage,
    state,
    progress,
    chat,
    cart: () => cart,
    productOf,
    variantOf,
    failedItems: (answer: Answer) => failedOf(answer, nameOf),
    /** The variant that "Add" means now is none that the shop has just refused. */
    isSoldOut: (product: Product) =>
      !product.available ||
      state.soldOut.get(product.uid)?.has(variantOf(product)?.external_id) === true,
    priceNow: (product: Product) => priceOf(product, variantOf(product)),

    async start(): Promise<void> {
      openReadyQueue(sdk)
      addEventListener("focus", () => state.open && cart?.refresh())
      setInterval(() => {
        if (!state.open || state.show?.event.status !== "live") return
        change({ viewers: viewersNext(state.viewers) })
      }, VIEWERS_MS)
      service.followShows(loadShow)
      await loadShow()
      await followLink()
    },

    open,
    close: () => change({ open: false, cartOpen: false, notice: null, pointedAt: null }),
    toggleCart: () => change({ cartOpen: !state.cartOpen }),
    dismissNotice: () => change({ notice: null }),
    like: () => change({ hearts: state.hearts + 1 }),
    retryCheckout: followLink,
    closeCheckout: () => change({ checkout: null }),

    /** What the shopper writes stays on this page: there is nobody on the other side. */
    say(text: string): void {
      if (text.trim()) chat.say("You", text.trim(), "you")
    },

    choose(product: Product, position: number, value: string): void {
      const variant = chooseValue(product, variantOf(product), position, value)
      state.chosen.set(product.uid, variant?.external_id)
      draw()
    },

    async add(product: Product): Promise<void> {
      if (!cart) return
      const { uid, name } = product
      const variant = variantOf(product)
      state.cards.set(uid, "adding")
      change({ notice: null, said: `Adding ${name}` })
      const answer = await cart.add(product, variant, quantityToAdd(product))
      state.cards.delete(uid)
      if (saysSoldOut(answer)) {
        const gone = state.soldOut.get(uid) ?? new Set()
        state.soldOut.set(uid, gone.add(variant?.external_id))
      }
      if (answer.status === "SUCCESS") {
        state.cards.set(uid, "added")
        setTimeout(() => {
          if (state.cards.get(uid) === "added") state.cards.delete(uid)
          draw()
        }, ADDED_MS)
      }
      const partly = answer.status === "PARTIAL"
      show(
        answer,
        partly ? "Added, with a change" : `${name} was not added`,
        `${name} is in your basket`,
      )
    },

    async setQuantity(line: Line, quantity: number): Promise<void> {
      if (!cart) return
      state.notice = null
      const answer = await cart.setQuantity(line, quantity)
      const said = quantity === 0 ? `${line.name} removed` : `${line.name}: ${quantity}`
      show(answer, `${line.name} could not be changed as asked`, said)
    },

    /** The shop's own cart takes over: the player steps aside, and comes back if that fails. */
    async openCart(): Promise<void> {
      // Else the shop would show a basket without what was added last.
      await cart?.settled()
      if (isRegistered("OPEN_CART")) change({ open: isPage, cartOpen: false, checkout: null })
      const orderNo = orderNumber?.peek()
      const answer = await perform("OPEN_CART", orderNo ? { orderNo } : {})
      if (answer.status === "SUCCESS") return
      const notice = noticeOf(answer, "The shop's basket could not be opened", nameOf)
      change({ open: true, checkout: null, notice })
    },
  }
}
