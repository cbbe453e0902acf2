/** A connection whose signature key is known, written into a store's database before the store runs. */
import { Client } from "@medusajs/framework/pg"
import { Keyring } from "../../src/modules/svc/connections/secrets"
import { TEST_ENCRYPTION_KEYS } from "./store-process"

export const RECEIVER = { connectionId: "svccon_receiver", pageUid: "demo-page", key: "the key" }
const REGION = "reg_receiver"

/**
 * @param service.baseUrl where the listings are read from
 * @param service.webhookUid where a subscriber is registered there, with this key
 */
export async function addReceiver(
  databaseUrl: string,
  service: { baseUrl: string; key?: string; webhookUid?: string },
): Promise<void> {
  const keyring = new Keyring(TEST_ENCRYPTION_KEYS)
  const { connectionId, pageUid } = RECEIVER
  const { baseUrl, key = RECEIVER.key, webhookUid = null } = service
  const webhookId = "svcwh_receiver"
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO region (id, name, currency_code) VALUES ('${REGION}', 'Denmark', 'dkk')`,
    )
    await client.query(
      `INSERT INTO svc_connection (id, name, page_uid, base_url, sales_channel_id, region_id, storefront_url, api_token)
       VALUES ($1, 'Receiver', $2, $3, 'sc_none', '${REGION}', 'http://127.0.0.1:8000', $4)`,
      [
        connectionId,
        pageUid,
        baseUrl,
        keyring.encrypt("sandbox-token-demo-page", {
          table: "svc_connection",
          id: connectionId,
          column: "api_token",
        }),
      ],
    )
    await client.query(
      `INSERT INTO svc_webhook (id, connection_id, webhook_uid, topics, custom_headers, signature_key, signature_key_fingerprint)
       VALUES ($1, $2, $3, '[]', '[]', $4, $5)`,
      [
        webhookId,
        connectionId,
        webhookUid,
        keyring.encrypt(key, { table: "svc_webhook", id: webhookId, column: "signature_key" }),
        keyring.fingerprint(key),
      ],
    )
  } finally {
    await client.end()
  }
}
