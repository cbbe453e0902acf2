/** Imported first. Medusa sends usage reports from a process of its own, which would go on after the demo has ended. */
process.env.MEDUSA_DISABLE_TELEMETRY ??= "true"
