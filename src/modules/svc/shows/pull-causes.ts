/** Why the listings of a connection are read (gap 20), for people. */
export const PULL_CAUSES = {
  requested: "a person asked for it",
  registered: "the webhook was registered",
  started: "the store was started",
  gap: "the store, or the service, was away for more than ten minutes",
  recovered: "the service began to send again",
  late: "a delivery came as late as the service's last attempt, or later",
  silence: "no delivery came for suspiciously long",
  doubt: "deliveries contradict each other",
  confirm: "the last listing said something that has to be seen twice, or may have been too old",
  nightly: "once a day",
} as const
export type PullCause = keyof typeof PULL_CAUSES

/** Deliveries, those of products too, may have been missed: no listing has products. */
export const MISSED: readonly (PullCause | null)[] = ["registered", "gap", "recovered", "late"]
