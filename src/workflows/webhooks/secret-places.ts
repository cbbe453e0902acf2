import type { SecretPlace } from "../../modules/svc/secrets"

/** Where the signature keys of a subscriber row live; bound into their ciphertext. */
export const keyPlace = (id: string): SecretPlace => ({
  table: "svc_webhook",
  id,
  column: "signature_key",
})

export const candidatePlace = (id: string): SecretPlace => ({
  table: "svc_webhook",
  id,
  column: "candidate_key",
})
