/** A worker that dies in the middle of its work, as a killed process does: nothing it still wanted to write is written. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE, type SvcModuleService } from "../../../src/modules/svc"

/** @param n its n-th statement or call is the last; `carriedOut`: that one reaches the other side, and its answer is lost */
export type Death = { n: number; carriedOut: boolean }

class Died extends Error {}

export const hasDied = (error: unknown): boolean => error instanceof Died

/** Whatever writes to the database, or calls the service. */
const ROWS = ["items", "walks", "pace", "storeProducts"] as const

/** The store's container as a worker sees it that dies. */
export function dyingContainer(container: MedusaContainer, death: Death): MedusaContainer {
  let made = 0
  const mortal = async (run: () => unknown): Promise<unknown> => {
    made += 1
    if (made > death.n) throw new Died()
    if (made < death.n) return run()
    if (death.carriedOut) await run()
    throw new Died()
  }
  /** The same object, of which every method is mortal. */
  const mortalRows = <Rows extends object>(rows: Rows): Rows =>
    new Proxy(rows, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== "function") return value
        // It asks memory alone and answers at once: nobody can die in it, and a promise would count as a yes.
        if (name === "isDeclaredElsewhere") return value.bind(target)
        return (...args: unknown[]) => mortal(() => Reflect.apply(value, target, args))
      },
    })
  const svc: SvcModuleService = container.resolve(SVC_MODULE)
  const parts = new Map<string | symbol, unknown>([
    [
      "catalog",
      {
        ...svc.catalog,
        ...Object.fromEntries(ROWS.map((name) => [name, mortalRows(svc.catalog[name])])),
      },
    ],
    [
      "connections",
      {
        ...svc.connections,
        background: mortalRows(svc.connections.background),
        calls: mortalRows(svc.connections.calls),
      },
    ],
  ])
  const dying = new Proxy(svc, {
    // The service has private fields: they are the original's.
    get: (target, name) => parts.get(name) ?? Reflect.get(target, name, target),
  })
  return new Proxy(container, {
    get: (target, name) =>
      name === "resolve"
        ? (key: string, options?: { allowUnregistered?: boolean }) =>
            key === SVC_MODULE ? dying : target.resolve(key, options)
        : Reflect.get(target, name, target),
  })
}
