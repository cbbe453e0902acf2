import { z } from "zod"

/** Body of `POST .../sync` and `.../sync/preview`: by default only what differs is sent. */
export const syncInput = z.strictObject({ force: z.boolean().optional() })
