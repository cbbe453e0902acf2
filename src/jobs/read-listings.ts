import type { MedusaContainer } from "@medusajs/framework/types"
import { SVC_MODULE } from "../modules/svc"
import { nightly } from "../workflows/shared"
import { wakePulls } from "../workflows/shows"

/** Each night: reads the listings even where nothing seems to be missed. */
export default async function readListings(container: MedusaContainer): Promise<void> {
  await container.resolve(SVC_MODULE).shows.pulls.request("nightly")
  wakePulls(container)
}

export const config = { name: "svc-read-listings", schedule: nightly(23) }
