/** What the doctor finds and other places tell too: the finding is said as the reason is. */
export const SAID_AS = {
  not_registered: "webhook_not_registered",
  subscriber_gone: "webhook_missing",
  subscriber_disabled: "webhook_disabled",
  subscriber_warning: "webhook_warning",
  key_missing: "webhook_key_unknown",
  applying_paused: "applying_paused",
} as const
