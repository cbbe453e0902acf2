import type { Finding } from "../../../../../../../workflows/webhooks"

export const findingView = ({ code, message, fix, severity, evidence }: Finding) => ({
  code,
  message,
  fix,
  severity,
  /** The values in the sentences, for translations. */
  evidence,
})
