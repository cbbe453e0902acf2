import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

/** A store as a worker sees it: a pool that tells it from other stores, its mode, a logger and an event bus. */
export function store(
  workerMode = "shared",
  emit: (event: unknown) => Promise<void> = () => Promise.reject(new Error("nobody listens")),
) {
  const errors: string[] = []
  const parts: Record<string, unknown> = {
    [ContainerRegistrationKeys.PG_CONNECTION]: {},
    [ContainerRegistrationKeys.CONFIG_MODULE]: { projectConfig: { workerMode } },
    [ContainerRegistrationKeys.LOGGER]: { error: (message: string) => errors.push(message) },
    [Modules.EVENT_BUS]: { emit },
  }
  const scope = { resolve: (name: string) => parts[name] } as unknown as MedusaContainer
  return { errors, scope }
}
