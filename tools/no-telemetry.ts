/** Imported first: Medusa's usage report would outlive the demo in a process of its own. */
process.env.MEDUSA_DISABLE_TELEMETRY ??= "true"
