import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { receive } from "./receive"

/** `POST /hooks/svc/:connection_id`. `receiveAhead` answers it; this makes it a route that Medusa knows of. */
export const POST = (req: MedusaRequest, res: MedusaResponse): Promise<void> => receive(req, res)
