import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../modules/svc/shared/error-message"

/** A part of a job, which goes on behind one that fails: that is logged, and the next run tries it again. */
export async function alone<Result>(
  container: MedusaContainer,
  what: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    container
      .resolve(ContainerRegistrationKeys.LOGGER)
      .error(`svc: ${what} failed: ${messageOf(error)}. The next run tries it again.`)
    return undefined
  }
}
