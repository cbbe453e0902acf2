import { createHmac, randomUUID } from "node:crypto"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

/** What a receiver costs at the least in Medusa: its request handling, one HMAC, one inserted row. */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const body = req.rawBody as Buffer
  const signature = createHmac("sha256", "key").update(body).digest("base64")
  const knex = req.scope.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  await knex("bare_delivery").insert({ id: randomUUID(), signature, body: body.toString() })
  res.json({ received: true })
}
