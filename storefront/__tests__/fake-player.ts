import type { ActionAnswer, SvcSdk } from "../src/player"

/** The player's side of gap 39: what a shop's page meets in the browser. */
export class FakePlayer {
  readonly registered: unknown[] = []
  readonly progress: string[] = []
  private readonly handlers = new Map<unknown, (payload?: unknown) => Promise<ActionAnswer>>()

  readonly sdk: SvcSdk = {
    actions: {
      SOME_CHECKOUT: "a:some-checkout",
      UPDATE_CART_CONTENTS: "a:update",
      GET_CART_CONTENTS: "a:get",
      OPEN_CART: "a:open",
    },
    actionStatuses: { SUCCESS: "s:ok", PARTIAL: "s:part", FAILURE: "s:no" },
    registerAction: (action, handler) => {
      this.registered.push(action)
      this.handlers.set(action, handler)
    },
    progress: {
      plan: ({ totalSteps }) => this.progress.push(`plan ${totalSteps}`),
      set: (at) => this.progress.push("step" in at ? `step ${at.step}` : `${at.percent}%`),
    },
  }

  readonly opened: unknown[] = []

  /** A player that a shop may open. */
  canOpen(): this {
    this.sdk.openPlayer = (at) => void this.opened.push(at)
    return this
  }

  /** The player's script runs: the entries that wait are called, later ones at once. */
  load(): this {
    const page = globalThis as { onSvcReady?: unknown }
    const waiting = (page.onSvcReady ?? []) as ((sdk: SvcSdk) => void)[]
    page.onSvcReady = { push: (entry: (sdk: SvcSdk) => void) => entry(this.sdk) }
    for (const entry of waiting) {
      entry(this.sdk)
    }
    return this
  }

  fire(action: keyof SvcSdk["actions"], payload?: unknown): Promise<ActionAnswer> {
    const handler = this.handlers.get(this.sdk.actions[action])
    if (!handler) {
      throw new Error(`${action} is not registered`)
    }
    return handler(payload)
  }
}
